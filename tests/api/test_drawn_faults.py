"""Faults that requests drawn from the contract have found, each on its own."""

from flask.testing import FlaskClient

QKV = {"Q": [[1, 2]], "K": [[3, -1], [0, 1]], "V": [[1], [2]]}


def test_a_body_of_a_byte_order_mark_alone_is_refused(client: FlaskClient) -> None:
    reply = client.post("/v1/params", data=b"\xef\xbb\xbf", content_type="application/json")
    assert reply.status_code == 400


def test_a_byte_order_mark_before_the_body_is_passed_over(client: FlaskClient) -> None:
    text = b'\xef\xbb\xbf{"preset": "gpt3"}'
    reply = client.post("/v1/params", data=text, content_type="application/json")
    assert reply.status_code == 200


def test_a_softcap_so_small_that_a_quotient_overflows_caps(client: FlaskClient) -> None:
    body = QKV | {"softcap": 5e-324, "steps": ["capped"], "scale": 1}
    reply = client.post("/v1/attention", json=body)
    assert reply.get_json()["steps"][0]["value"] == [[5e-324, 5e-324]]


def test_a_variance_that_overflows_is_refused_by_name(client: FlaskClient) -> None:
    body = {"x": [[1, 2]], "delta": [[1e200, 0]], "placement": "pre"}
    reply = client.post("/v1/layernorm", json=body)
    assert reply.status_code == 422
    assert reply.get_json()["detail"] == (
        "The variance of row 0 of sum does not fit a float64. Use smaller numbers."
    )
