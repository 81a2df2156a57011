"""The calculator through a Python client of openapi-generator."""

import os

from attention_pydantic import (
    Answer,
    ApiClient,
    ApiException,
    AttentionApi,
    AttentionRequest,
    Configuration,
    GradeItem,
    GradeRequest,
    Mask,
    QuizApi,
    TextAnswer,
)

client = ApiClient(Configuration(host=os.environ["SERVICE_URL"]))
api = AttentionApi(client)


def request(W_Q: list[list[float]]) -> AttentionRequest:
    return AttentionRequest(
        tokens=["the", "fluffy", "blue", "creature"],
        X=[[0, 0, 0, 0], [0, 1, 1, 0], [0, 1, 0, 1], [1, 0, 0, 0]],
        W_Q=W_Q,
        W_K=[[0, 2, 0, 0], [0, 0, 0, 0]],
        W_V=[[0, 0, 1, 0], [0, 0, 0, 1]],
        W_O=[[0, 0], [0, 0], [1, 0], [0, 1]],
        mask=Mask(causal=True),
    )


trace = api.compute_attention(request([[2, 0, 0, 0], [0, 0, 0, 0]]))
steps = {step.name: step.value for step in trace.steps}
assert [f"{weight:.4f}" for weight in steps["weights"][3]] == [
    "0.0279", "0.4721", "0.4721", "0.0279",
]  # fmt: skip
assert steps["masked"][0] == [0, None, None, None]

problem = None
try:
    api.compute_attention(request([[1, 2]]))
except ApiException as error:
    problem = error.data
assert problem.status == 422
assert problem.errors[0].pointer == "#/W_Q"

answer = Answer(TextAnswer(kind="text", text="9,216"))
item = GradeItem(question="heads-gpt3", answer=answer)
graded = QuizApi(client).grade_answers(GradeRequest(items=[item], locale="en"))
assert graded.items[0].verdict == "correct"
