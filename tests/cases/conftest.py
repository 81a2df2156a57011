"""Without the folder of cases nothing is collected here, and the summary says so.

The tests of the engine and of the service hold the same kinds with numbers of their own.
"""

from typing import Any

from cases_folder import FOLDER

collect_ignore_glob = [] if FOLDER.is_dir() else ["test_*.py"]


def pytest_terminal_summary(terminalreporter: Any) -> None:
    if collect_ignore_glob:
        terminalreporter.write_line("No cases from public reports: CASES_DIR names their folder.")
