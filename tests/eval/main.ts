/**
 * `deno task eval`: asks the configured model every question of fixtures/eval and writes a table of how it did. Arguments go to saber:
 * `--model`, `--thinking`. With `--recorded` a model that knows the answers is asked, which needs no key.
 */
import { QUESTIONS } from "../../fixtures/eval/questions.ts";
import { repository } from "../support/sources.ts";
import { evaluate } from "./evaluate.ts";
import { startRecordedModel } from "./recorded_model.ts";
import { report } from "./report.ts";

const isRecorded = Deno.args.includes("--recorded");
const given = Deno.args.filter((arg) => arg !== "--recorded" && arg !== "--");
await using recorded = isRecorded ? startRecordedModel(QUESTIONS) : undefined;
const args = recorded ? ["--model", "openai:recorded"] : given;
const outcomes = await evaluate({
  questions: QUESTIONS,
  args,
  env: recorded?.env ?? {},
  told: ({ isRight, question, error }) => {
    const line = `${isRight ? "right" : "WRONG"}  ${question}${
      error === undefined ? "" : `\n       ${error}`
    }\n`;
    Deno.stderr.writeSync(new TextEncoder().encode(line));
  },
}).catch((error: unknown) => {
  // mostly a start that failed: no model, no key
  Deno.stderr.writeSync(
    new TextEncoder().encode(`eval: ${error instanceof Error ? error.message : error}\n`),
  );
  Deno.exit(1);
});
const named = args[args.indexOf("--model") + 1];
const model = args.includes("--model") && named ? named : Deno.env.get("SQLSABER_MODEL") ?? "the saved model";
const table = report(outcomes, model);
const folder = new URL("dist/eval/", repository);
await Deno.mkdir(folder, { recursive: true });
await Deno.writeTextFile(new URL(`${model.replaceAll(/[^\w.-]/g, "_")}.md`, folder), table);
Deno.stdout.writeSync(new TextEncoder().encode(table));
