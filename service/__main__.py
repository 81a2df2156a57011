"""`python -m service` starts the server. What stops it, a setting, is told without a traceback."""

import os
import sys

from service.settings import SettingError, whole_number


def main() -> None:
    """Run gunicorn with gunicorn.conf.py; exit with 1 and a sentence for a setting of no use."""
    try:
        # gunicorn reads this one itself, as soon as it is imported; empty, it is as if not set.
        whole_number(os.environ, "WEB_CONCURRENCY", 2)
        if not os.environ.get("WEB_CONCURRENCY"):
            os.environ.pop("WEB_CONCURRENCY", None)
        from gunicorn.app.wsgiapp import run  # type: ignore[import-untyped]

        run(prog="python -m service")
    except SettingError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
