"""The operations."""

ATTENTION, MASK, MULTIHEAD = "/v1/attention", "/v1/mask", "/v1/multihead"
BLOCK, SOFTMAX, MOVE = "/v1/block", "/v1/softmax", "/v1/move"
POSITIONS, NORM, COMPARE = "/v1/positions", "/v1/layernorm", "/v1/compare"
COMPLEXITY, PARAMS, GRADE = "/v1/complexity", "/v1/params", "/v1/quiz/grade"
