"""The known ways to go wrong: a stable code, and a sentence that teaches and gives no key away."""

from service.engine.grading.marking.task import Key, Misconception

MESSAGES = {
    "no_scaling": "The scores were not divided by √d_k before softmax.",
    "divided_by_d_k": "The scores were divided by d_k; it is its root that keeps their variance.",
    "softmax_down_columns": "Softmax ran down the columns; each query's row is what sums to 1.",
    "no_exponential": "The scores were divided by their sum; softmax takes e to each score first.",
    "no_normalisation": "Softmax ends with a division by the sum, so that a row sums to 1.",
    "base_two": "The powers are of 2; softmax takes powers of e.",
    "mask_after_softmax": "The mask came after softmax, so the row no longer sums to 1.",
    "mask_as_zero": "A blocked score became 0, and e^0 is 1; it has to be −∞ for a weight of 0.",
    "mask_forgotten": "Every key was seen; the mask was left out.",
    "mask_reversed": "The mask hides the past and shows the future; it is the other way around.",
    "mask_hides_itself": "A token may look at itself: the diagonal stays visible.",
    "keys_as_queries": "Queries and keys were exchanged; a row of the scores belongs to a query.",
    "weights_transposed": "The matrix was applied on its other side: W·x and x·W differ.",
    "values_forgotten": "The weights were applied to the embeddings; they mix the values.",
    "no_output_matrix": "W_O is missing: it brings a head's result back to d_model numbers.",
    "residual_forgotten": "The update is added to the vector; it does not replace it.",
    "update_only": "This is the vector before the update was added.",
    "one_head_only": "This counts one head.",
    "one_layer_only": "This counts one layer.",
    "added_not_multiplied": "Layers and heads multiply: every layer has heads of its own.",
    "linear_in_n": "The table of scores grows with the square of the number of tokens.",
    "heads_forgotten": "Every head has a table of scores of its own.",
    "full_value_matrix": "The value map has two thin factors, down to d_v and up again.",
    "biases_counted": "These matrices have no biases in this model.",
    "unbiased_variance": "The variance divides by n, not by n − 1.",
    "divided_by_variance": "The deviation is divided by the root of the variance.",
    "mean_not_removed": "The mean has to be taken off before the division.",
    "norm_before_add": "Here the sum comes first, and the norm is taken of the sum.",
    "gain_forgotten": "The last step multiplies by γ and adds β.",
    "decimal_point_moved": "The digits are right, but the decimal point is elsewhere.",
    "sign_lost": "The size is right, but the sign is not.",
    "second_product_forgotten": "A dot product adds up the products of all entries.",
    "entries_crossed": "Each entry is multiplied by the one in the same place of the other vector.",
    "entries_added": "Entries in the same place are multiplied; only the products are added.",
    "matrices_counted": "A head is its four matrices together, not each of them.",
    "side_doubled": "Twice as many rows and twice as many columns multiply; they do not add.",
    "cubed": "The table of scores has two sides: queries and keys.",
}


def known(code: str, key: Key) -> Misconception:
    """The misconception of this code, with the answer that it leads to on these numbers."""
    return Misconception(code, MESSAGES[code], key)
