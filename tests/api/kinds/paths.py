"""The operations."""

ATTENTION, MASK, MULTIHEAD = "/v1/attention", "/v1/mask", "/v1/multihead"
BLOCK, SOFTMAX, MOVE = "/v1/block", "/v1/softmax", "/v1/move"
POSITIONS, NORM, COMPARE = "/v1/positions", "/v1/layernorm", "/v1/compare"
COMPLEXITY, PARAMS = "/v1/complexity", "/v1/params"
GRADE, CHECK, REGRADE = "/v1/quiz/grade", "/v1/quiz/check", "/v1/quiz/regrade"
READ = "/v1/quiz/read"
