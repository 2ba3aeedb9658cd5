/** Crashes while a model is asked, with the model in the error: what the runtime prints of it may hold no key. */
import { openModel } from "../../src/llm/registry.ts";
import { question } from "./asking.ts";

const model = openModel("openai:gpt-5", {
  OPENAI_API_KEY: Deno.env.get("OPENAI_API_KEY"),
  OPENAI_BASE_URL: "http://127.0.0.1:1/v1",
});
const fault = await Array.fromAsync(model.stream(question())).catch((error: unknown) => error);
throw Object.assign(new Error("crashed on purpose", { cause: fault }), { model });
