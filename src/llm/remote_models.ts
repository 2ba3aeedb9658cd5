/**
 * The models that a server says it has. It asks for the list alone, and no model anything.
 */
import * as z from "zod/mini";
import { boundedBody } from "../base/bounded_body.ts";
import { Fault } from "../base/fault.ts";
import { fitsHeader } from "../base/header_text.ts";
import type { AdapterName } from "./providers.ts";

const List = z.object({ data: z.array(z.object({ id: z.string() })) });
const MAX_LENGTH = 8 << 20;

export interface ListOptions {
  readonly adapter: AdapterName;
  /** Where the API begins, as for a model. */
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Ids in the server's order. Throws Fault: model_unreachable, model_auth, model_error, cancelled. */
export async function listRemoteModels(options: ListOptions): Promise<string[]> {
  const { baseUrl, apiKey, timeoutMs, signal } = options;
  const host = new URL(baseUrl).host;
  const fail = (code: "model_unreachable" | "model_auth" | "model_error", state: string) =>
    new Fault(code, `Cannot list the models of ${host}: ${state}.`);
  if (!fitsHeader(apiKey ?? "")) {
    throw fail("model_auth", "the API key has a line break in it. Copy it again");
  }
  try {
    const isAnthropic = options.adapter === "anthropic";
    const path = isAnthropic ? `${baseUrl.replace(/\/v1$/, "")}/v1/models?limit=1000` : `${baseUrl}/models`;
    const response = await fetch(path, {
      headers: {
        accept: "application/json",
        ...(isAnthropic ? { "anthropic-version": "2023-06-01" } : {}),
        ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
      },
      redirect: "manual", // the key is for this server alone
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    const body = await boundedBody(response, MAX_LENGTH);
    if (response.status === 401 || response.status === 403) {
      throw fail("model_auth", "it refused the API key. Check the key of this provider");
    }
    const list = response.ok ? List.safeParse(JSON.parse(body)) : undefined;
    if (list?.success) return list.data.data.map(({ id }) => id.replace(/^models\//, ""));
    throw fail("model_error", `it sent no list (HTTP ${response.status}). Check the address`);
  } catch (error) {
    if (error instanceof Fault) throw error;
    if (signal.aborted) throw new Fault("cancelled", "The question for models was cancelled.");
    if (error instanceof SyntaxError) throw fail("model_error", "it sent no list. Check the address");
    throw fail("model_unreachable", "it cannot be reached. Check that the server runs");
  }
}
