// The calculator through openapi-fetch and the types of openapi-typescript.
import { deepStrictEqual as equal } from "node:assert";
import createClient from "openapi-fetch";
import type { components, paths } from "./schema.js";

const client = createClient<paths>({ baseUrl: process.env.SERVICE_URL });

const request: components["schemas"]["AttentionRequest"] = {
  tokens: ["the", "fluffy", "blue", "creature"],
  X: [[0, 0, 0, 0], [0, 1, 1, 0], [0, 1, 0, 1], [1, 0, 0, 0]],
  W_Q: [[2, 0, 0, 0], [0, 0, 0, 0]],
  W_K: [[0, 2, 0, 0], [0, 0, 0, 0]],
  W_V: [[0, 0, 1, 0], [0, 0, 0, 1]],
  W_O: [[0, 0], [0, 0], [1, 0], [0, 1]],
  mask: { causal: true },
};

const { data, error } = await client.POST("/v1/attention", { body: request });
if (error) throw new Error(error.detail);
const step = (name: string) => data.steps.find((step) => step.name === name);
const creature = step("weights")?.value[3]?.map((weight) => weight?.toFixed(4));
equal(creature, ["0.0279", "0.4721", "0.4721", "0.0279"]);
equal(step("masked")?.value[0], [0, null, null, null]);

const refused = await client.POST("/v1/attention", { body: { ...request, W_Q: [[1, 2]] } });
equal(refused.response.status, 422);
equal(refused.error?.errors[0]?.pointer, "#/W_Q");

const graded = await client.POST("/v1/quiz/grade", {
  body: { items: [{ question: "heads-gpt3", answer: { kind: "text", text: "9,216" } }], locale: "en" },
});
equal(graded.data?.items[0]?.verdict, "correct");
