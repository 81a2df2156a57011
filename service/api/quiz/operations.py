"""The quiz over HTTP: what is asked, tokens, grading in ones and by the thousand, and its tools."""

from service.api.quiz import batch, check, draw, questions, read, regrade

OPERATIONS = (questions, draw, read, batch, regrade, check)
