"""How the service meets the network: what gunicorn leaves open, closed."""
