"""The parts of the lecture, in its order."""

from service.engine.grading.questions.question import Chapter

EMBEDDINGS = Chapter("embeddings", "One vector for each token")
PATTERNS = Chapter("patterns", "Where the words look")
SCORES = Chapter("scores", "Scores: queries meet keys")
SCALING = Chapter("scaling", "Dividing by the root of d_k")
MASKING = Chapter("masking", "The causal mask")
HEADS = Chapter("heads", "Many heads")
MOVING = Chapter("moving", "An embedding moves")
NORMS = Chapter("norms", "Add and norm")
BLOCKS = Chapter("blocks", "The transformer taken apart")
CROSS = Chapter("cross", "Cross-attention")
COST = Chapter("cost", "The price of attention")
POSITIONS = Chapter("positions", "Where a token stands")

CHAPTERS = (
    EMBEDDINGS,
    PATTERNS,
    SCORES,
    SCALING,
    MASKING,
    HEADS,
    MOVING,
    NORMS,
    BLOCKS,
    CROSS,
    COST,
    POSITIONS,
)
