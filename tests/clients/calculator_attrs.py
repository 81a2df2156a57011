"""The calculator through a client of openapi-python-client."""

import json
import os
from io import BytesIO

from attention_client import Client
from attention_client.api.attention import compute_attention
from attention_client.api.quiz import grade_answers, grade_batch
from attention_client.models import (
    AttentionRequest,
    GradeItem,
    GradeReply,
    GradeRequest,
    Mask,
    Problem,
    TextAnswer,
    TextAnswerKind,
    Trace,
)
from attention_client.types import File

client = Client(os.environ["SERVICE_URL"])


def request(W_Q: list[list[float]]) -> AttentionRequest:
    return AttentionRequest(
        tokens=["the", "fluffy", "blue", "creature"],
        x=[[0, 0, 0, 0], [0, 1, 1, 0], [0, 1, 0, 1], [1, 0, 0, 0]],
        w_q=W_Q,
        w_k=[[0, 2, 0, 0], [0, 0, 0, 0]],
        w_v=[[0, 0, 1, 0], [0, 0, 0, 1]],
        w_o=[[0, 0], [0, 0], [1, 0], [0, 1]],
        mask=Mask(causal=True),
    )


trace = compute_attention.sync(client=client, body=request([[2, 0, 0, 0], [0, 0, 0, 0]]))
assert isinstance(trace, Trace)
steps = {step.name: step.value for step in trace.steps}
assert [f"{weight:.4f}" for weight in steps["weights"][3]] == [
    "0.0279", "0.4721", "0.4721", "0.0279",
]  # fmt: skip
assert steps["masked"][0] == [0, None, None, None]

refused = compute_attention.sync_detailed(client=client, body=request([[1, 2]]))
assert refused.status_code == 422
assert isinstance(refused.parsed, Problem)
assert refused.parsed.errors[0].pointer == "#/W_Q"

answer = TextAnswer(kind=TextAnswerKind.TEXT, text="9,216")
item = GradeItem(question="heads-gpt3", answer=answer)
graded = grade_answers.sync(client=client, body=GradeRequest(items=[item], locale="en"))
assert isinstance(graded, GradeReply)
assert graded.items[0].verdict == "correct"

lines = b"".join(json.dumps(item.to_dict()).encode() + b"\n" for _ in range(3))
batch = grade_batch.sync(client=client, body=File(BytesIO(lines)))
assert isinstance(batch, File)
assert [json.loads(line)["verdict"] for line in batch.payload] == ["unreadable"] * 3
