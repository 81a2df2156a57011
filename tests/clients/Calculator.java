// The calculator through a Java client of openapi-generator.

import attention.ApiClient;
import attention.ApiException;
import attention.api.AttentionApi;
import attention.api.QuizApi;
import attention.model.Answer;
import attention.model.AttentionRequest;
import attention.model.GradeItem;
import attention.model.GradeRequest;
import attention.model.Mask;
import attention.model.Problem;
import attention.model.TextAnswer;
import attention.model.Trace;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

public class Calculator {
    public static void main(String[] arguments) throws Exception {
        ApiClient client = new ApiClient();
        client.updateBaseUri(System.getenv("SERVICE_URL"));
        AttentionApi api = new AttentionApi(client);
        AttentionRequest request = new AttentionRequest()
            .tokens(List.of("the", "fluffy", "blue", "creature"))
            .X(matrix(new double[][] {{0, 0, 0, 0}, {0, 1, 1, 0}, {0, 1, 0, 1}, {1, 0, 0, 0}}))
            .W_Q(matrix(new double[][] {{2, 0, 0, 0}, {0, 0, 0, 0}}))
            .W_K(matrix(new double[][] {{0, 2, 0, 0}, {0, 0, 0, 0}}))
            .W_V(matrix(new double[][] {{0, 0, 1, 0}, {0, 0, 0, 1}}))
            .W_O(matrix(new double[][] {{0, 0}, {0, 0}, {1, 0}, {0, 1}}))
            .mask(new Mask().causal(true));

        Trace trace = api.computeAttention(request);
        List<String> creature = step(trace, "weights").get(3).stream()
            .map(weight -> String.format(Locale.ROOT, "%.4f", weight)).toList();
        equal(creature, List.of("0.0279", "0.4721", "0.4721", "0.0279"));
        equal(step(trace, "masked").get(0), Arrays.asList(0.0, null, null, null));

        try {
            api.computeAttention(request.W_Q(matrix(new double[][] {{1, 2}})));
            throw new AssertionError("a W_Q that does not fit was taken");
        } catch (ApiException error) {
            equal(error.getCode(), 422);
            Problem problem =
                client.getObjectMapper().readValue(error.getResponseBody(), Problem.class);
            equal(problem.getErrors().get(0).getPointer(), "#/W_Q");
        }

        Answer answer =
            new Answer(new TextAnswer().kind(TextAnswer.KindEnum.TEXT).text("9,216"));
        GradeRequest graded = new GradeRequest().locale("en")
            .addItemsItem(new GradeItem().question("heads-gpt3").answer(answer));
        equal(new QuizApi(client).gradeAnswers(graded).getItems().get(0).getVerdict(), "correct");
    }

    static List<List<Double>> matrix(double[][] rows) {
        return Arrays.stream(rows).map(row -> Arrays.stream(row).boxed().toList()).toList();
    }

    static List<List<Double>> step(Trace trace, String name) {
        return trace.getSteps().stream().filter(step -> step.getName().equals(name))
            .findFirst().orElseThrow().getValue();
    }

    static void equal(Object found, Object expected) {
        if (!found.equals(expected)) {
            throw new AssertionError(found + " is not " + expected);
        }
    }
}
