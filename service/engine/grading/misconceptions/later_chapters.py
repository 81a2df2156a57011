"""What is said of the ways to go wrong from many heads on: sizes, norms, texts, work, places.

A part of the catalogue.
"""

LATER_CHAPTERS = {
    "full_width_head": "A head's queries are narrower than an embedding: d_k numbers, not d_model.",
    "output_matrix_not_counted": "A head also has its part of W_O, the way back to d_model.",
    "one_factor_only": "Both factors have weights, the one down and the one up.",
    "ratio_upside_down": "The ratio is upside down: the larger number goes above the line.",
    "ratio_not_taken": "This is the number itself; how many times fewer is a ratio.",
    "percent_sign_missing": "Without the percent sign this is more than the whole.",
    "one_matrix_only": "This counts one kind of matrix; a head has W_Q, W_K, W_V and W_O.",
    "mlp_counted": "These are the weights of the MLPs.",
    "variance_stretched_once": "Stretching by γ multiplies squares by γ², and so the variance too.",
    "embedding_included": "This is the embedding with the update; the update alone is asked for.",
    "last_head_only": "Every head's change is added, not that of the last one alone.",
    "heads_interleaved": (
        "Neighbouring query heads share keys, group by group; they do not take turns."
    ),
    "counted_from_one": "Counting begins with 0 here.",
    "heads_not_grouped": "There are fewer heads of keys than of queries, so some have to share.",
    "values_not_weighted": "Each value counts by its weight, not in full.",
    "embedding_shrunk": "The embedding itself stays whole; only the values are weighted.",
    "values_exchanged": "Each weight belongs to its own value; here they have changed places.",
    "embedding_not_subtracted": (
        "The values only have to close the gap between embedding and target."
    ),
    "weights_normalised": "These weights need not sum to 1: the rest goes to other tokens.",
    "root_forgotten": "The sum of the squares still needs its root.",
    "sides_not_squared": "A straight line is shorter than its two sides one after the other.",
    "bias_before_gain": "γ stretches first, and β is added to what comes of it.",
    "mean_removed": "RMSNorm leaves the mean where it is; that is what it saves.",
    "sum_not_mean": "It is the mean of the squares under the root, not their sum.",
    "divided_by_mean_square": "The row is divided by the root of the mean square.",
    "bias_in_variance": (
        "Shifting all numbers leaves the distances between them, and so the variance."
    ),
    "biases_forgotten": "Each matrix has a bias here, as long as what it gives.",
    "mlp_not_widened": "Between its two matrices an MLP is wider than an embedding.",
    "third_matrix_counted": "This MLP has no gate, so it has two matrices.",
    "attention_forgotten": "A layer has attention beside its MLP.",
    "linear_in_d": "A matrix has rows times columns, and both grow with d.",
    "cross_attention_forgotten": "A decoder layer has a second attention, over the source.",
    "heads_not_sharing": "The heads share the width of the model; together they are as wide as it.",
    "mlp_first": "Attention gathers first, and the MLP digests what it found.",
    "norms_first": "In the original, the norm follows the sublayer and its sum.",
    "norms_last": "In GPT the norm comes first, and the sublayer reads what it gives.",
    "source_first": "A decoder looks at its own text first, then asks the source.",
    "attention_by_itself": "In attention tokens look at each other; here each is by itself.",
    "norm_has_few_weights": "A norm has but a gain and a bias for each number.",
    "embedding_outside_layers": "Embeddings come before the first layer and belong to none.",
    "cross_attention_masked": "The source is known from end to end, so nothing of it is masked.",
    "half_the_square": "The diagonal is not hidden, so less than half of the table is.",
    "pairs_counted_twice": "Of two tokens only the earlier one may not see the other.",
    "self_attention_shape": (
        "The keys come from the source, so there is a column for each of its tokens."
    ),
    "source_with_itself": (
        "The source is asked here, it does not ask; queries are the translation's."
    ),
    "width_not_used_up": "The dot product uses the width up; columns belong to keys.",
    "attention_for_rnn": "That is self-attention; a recurrent network goes from word to word.",
    "convolution_for_rnn": "That is a convolution; a recurrent network goes from word to word.",
    "ends_counted": "Steps lie between words, so there is one less than there are words.",
    "one_layer_too_few": "That many layers do not reach quite as far; the last few words are left.",
    "contiguous_kernels": "These kernels are dilated: each layer multiplies the reach.",
    "rnn_for_convolution": (
        "That is the way of a recurrent layer; a convolution joins many words at a time."
    ),
    "attention_for_convolution": (
        "In self-attention all words meet at once; a convolution needs a stack."
    ),
    "growth_doubled": "Both sides of the table grow, and they are multiplied, not added.",
    "factor_for_growth": (
        "This is how many times as many there are; what was there before is no growth."
    ),
    "keys_only": "Later tokens need the value as well as the key.",
    "queries_kept": "A query is used once, by its own token; nothing later needs it.",
    "values_not_bytes": "These are numbers; each of them takes several bytes.",
    "values_not_scores": "A table has one score for each pair, counted once.",
    "ratio_squared": "One of the two factors cancels on either side; no square is left.",
    "neighbours_alone": "Here every token looks at all others, not at its neighbours alone.",
    "recurrent_for_attention": "That is the recurrent layer, in which tokens meet a matrix.",
    "attention_for_recurrent": "That is self-attention, in which every token meets every other.",
    "attention_for_convolutional": (
        "Tokens do not all meet here; each meets the matrices of a kernel."
    ),
    "both_squared": "One of the two sizes comes up twice, the other once.",
    "width_forgotten": "Each score takes a product for every number of a query.",
    "matrix_forgotten": "Each token's vector is multiplied by a matrix, not by a vector.",
    "kernel_forgotten": "There is a matrix for each place of the kernel.",
    "turning_point_itself": "There the two do the same work; neither does less.",
    "longer_for_shorter": "The longer a text, the more attention costs beside the recurrent layer.",
    "part_itself": "There the work is just that part, and more than it is asked for.",
    "sine_for_cosine": "Even places hold sines, odd ones cosines.",
    "degrees_for_radians": "These angles are in radians.",
    "frequency_forgotten": "The position is divided by a power of 10,000 first.",
    "place_for_pair": "Two places share an angle: i counts pairs, and the exponent has 2i.",
    "exponent_halved": "The exponent is 2i/d, twice the number of the pair over the width.",
    "query_turned_alone": "The key is turned as well, by its own position.",
    "turns_added": (
        "Query and key are turned the same way round, so their turns differ; they do not add."
    ),
    "first_pair_for_all": "Each pair has a frequency of its own; that one is the first pair's.",
    "distance_from_start": "What counts is how far the key is from the query, not from the start.",
    "slope_forgotten": "The distances are right; each head multiplies them by its slope.",
    "next_to_itself": "A token is at no distance from itself.",
    "slope_of_next_head": "That is the slope of the next head; the first head falls off fastest.",
}
