/**
 * The evaluation itself: its answers are right, its judge is strict, and with a model that knows the answers saber's prompt and loop
 * bring all of them home.
 */
import assert from "node:assert/strict";
import { estimateTokens } from "../../src/agent/fit_history.ts";
import { QUESTIONS } from "../../fixtures/eval/questions.ts";
import { loadWarehouse } from "../../fixtures/eval/warehouse.ts";
import { shop } from "../support/shop.ts";
import { sqliteRows } from "../support/shop_query.ts";
import { evaluate } from "./evaluate.ts";
import { startRecordedModel } from "./recorded_model.ts";
import { report } from "./report.ts";
import { rowsMatch, textHolds } from "./score.ts";

/** What the model is told before the first question: prompt and tools, in tokens as estimated. */
const MAX_PROMPT_TOKENS = 2500;

Deno.test("there are enough questions, no two alike", () => {
  const all = Object.values(QUESTIONS).flat().map(({ question }) => question);
  assert.ok(all.length >= 40, `${all.length} questions`);
  assert.equal(new Set(all).size, all.length);
});

Deno.test("each statement finds the answer it is kept with", async () => {
  const folder = await Deno.makeTempDir();
  const paths = { shop: await shop("sqlite"), warehouse: `${folder}/warehouse.sqlite` };
  loadWarehouse(paths.warehouse, { shopPath: paths.shop });
  for (const { question, steps, rows } of Object.values(QUESTIONS).flat()) {
    const found = steps.map(({ database = "shop", sql }) => sqliteRows(paths[database], sql));
    const last = found.at(-1) ?? [];
    const together = found.flat(2).map(String).join(" ");
    assert.ok(rowsMatch(last, rows) || steps.length > 1 && textHolds(together, rows), question);
  }
  await Deno.remove(folder, { recursive: true });
});

Deno.test("the judge takes rows in any order and with more columns, and nothing else", () => {
  const expected = [["Coffee", 12.5], ["Books", 3]];
  assert.ok(rowsMatch([["Books", 3, "x"], [12.501, "coffee"]], expected));
  assert.ok(rowsMatch([["Books", "3"], ["Coffee", "12.50"]], expected));
  assert.ok(!rowsMatch([["Books", 3]], expected));
  assert.ok(!rowsMatch([["Books", 3], ["Coffee", 12.5], ["Tea", 1]], expected));
  assert.ok(!rowsMatch([["Books", 12.5], ["Coffee", 3]], expected));
  assert.ok(!rowsMatch([["Books", 3], ["Coffee", 12.6]], expected));
  assert.ok(!rowsMatch([[null], [null]], [[0], [0]]));
  assert.ok(rowsMatch([["2023-01-01 00:00:00"]], [["2023-01-01"]]));
  assert.ok(textHolds("Germany leads with 2,751,423.34 EUR.", [["germany", 2751423.34]]));
  assert.ok(!textHolds("About 2.75 million.", [[2751423.34]]));
  assert.ok(!textHolds("There are 230.", [[23]]));
});

Deno.test("a model that knows the answers gets all of them through the prompt and the loop", async () => {
  await using model = startRecordedModel(QUESTIONS);
  const outcomes = await evaluate({
    questions: QUESTIONS,
    args: ["--model", "openai:recorded"],
    env: model.env,
  });
  const wrong = outcomes.filter(({ isRight }) => !isRight);
  assert.deepEqual(wrong.map(({ question, error }) => [question, error]), []);
  const steps = Object.values(QUESTIONS).flat().map(({ steps }) => steps.length + 2);
  assert.deepEqual(outcomes.map(({ requests }) => requests), steps);
  assert.deepEqual(outcomes.map(({ toolCalls }) => toolCalls), steps.map((requests) => requests - 1));
  const [first] = model.asked;
  const [system, question] = first?.messages ?? [];
  assert.equal(question?.role, "user");
  assert.match(system?.content ?? "", /SQLite/);
  assert.deepEqual(first?.tools.map((tool) => tool.function.name).slice(0, 3), [
    "list_tables",
    "introspect_schema",
    "execute_sql",
  ]);
  const prompt = estimateTokens(JSON.stringify(first?.messages) + JSON.stringify(first?.tools));
  assert.ok(prompt <= MAX_PROMPT_TOKENS, `the prompt has grown to ${prompt} tokens`);
  assert.match(report(outcomes, "recorded"), /\| \*\*all\*\* \| 57 \| 57 \(100 %\) \|/);
});

Deno.test("a model that knows nothing gets nothing", async () => {
  await using model = startRecordedModel({});
  const few = { counting: QUESTIONS.counting?.slice(0, 3) ?? [] };
  const outcomes = await evaluate({ questions: few, args: ["--model", "openai:recorded"], env: model.env });
  assert.deepEqual(outcomes.map(({ isRight }) => isRight), [false, false, false]);
  assert.match(report(outcomes, "recorded"), /\| 3 \| 0 \(0 %\) \|/);
});
