/**
 * The form of `config.jsonc`: JSON with comments and trailing commas. Read whole; written one place at a time, so that what a
 * person wrote around it stays.
 */
import { parse, type ParseError, printParseErrorCode } from "jsonc-parser";
import * as z from "zod/mini";
import { Fault } from "../base/fault.ts";
import { fitsHeader, isHeaderName } from "../base/header_text.ts";
import { editJson } from "./json_file.ts";
import { writePrivateFile } from "./private_file.ts";
import { configPath, type UserProviders } from "./providers.ts";

const positive = z.int().check(z.gte(1));
const dollars = z.number().check(z.gte(0));
const address = z.string().check(z.regex(/^https?:\/\/[^\s]+$/), z.refine((text) => URL.canParse(text)));
const headerName = z.string().check(z.refine(isHeaderName));
const headerValue = z.string().check(z.refine(fitsHeader));
const fields = z.record(z.string(), z.unknown());
const text = z.string().check(z.minLength(1));

const Price = z.strictObject({
  input: dollars,
  output: dollars,
  cacheRead: z.exactOptional(dollars),
  cacheWrite: z.exactOptional(dollars),
  upToInputTokens: z.exactOptional(positive),
});

const Model = z.strictObject({
  contextTokens: z.exactOptional(positive),
  maxOutputTokens: z.exactOptional(positive),
  price: z.exactOptional(Price),
  thinking: z.exactOptional(z.strictObject({
    off: z.exactOptional(fields),
    minimal: z.exactOptional(fields),
    low: z.exactOptional(fields),
    medium: z.exactOptional(fields),
    high: z.exactOptional(fields),
    maximum: z.exactOptional(fields),
  })),
});

const Provider = z.strictObject({
  adapter: z.exactOptional(z.enum(["chat", "responses", "anthropic"])),
  baseUrl: z.exactOptional(address),
  keyVariable: z.exactOptional(text),
  headers: z.exactOptional(z.record(headerName, headerValue)),
  silenceSeconds: z.exactOptional(z.int().check(z.gte(1), z.lte(3600))),
  models: z.exactOptional(z.record(z.string(), Model)),
});

/** Other members may stand beside `providers`. */
const Config = z.object({ providers: z.exactOptional(z.record(text, Provider)) });

/** `path` is for the error. Throws Fault `no_model` that names the place. */
export function parseProviders(text: string, path: string): UserProviders {
  const errors: ParseError[] = [];
  const value: unknown = text.trim() === "" ? {} : parse(text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error) {
    const line = text.slice(0, error.offset).split("\n").length;
    throw unusable(path, `line ${line} is not JSON (${printParseErrorCode(error.error)})`);
  }
  const config = Config.safeParse(value);
  if (config.success) return config.data.providers ?? {};
  const [issue] = config.error.issues;
  const place = issue?.path.join(".") || "its form";
  const unknown = issue?.code === "unrecognized_keys" ? `: ${issue.keys.join(", ")} is not known there` : "";
  throw unusable(path, `${place} is wrong${unknown}`);
}

/** A member of `providers` to write; what is on the way to it is made. */
export interface Change {
  readonly path: readonly string[];
  readonly value: unknown;
}

/** Changes places in the file of this folder, which is made where it is missing. Throws Faults: no_model for the
 * file as it is, usage for what it would become, unavailable. */
export async function changeProviders(folder: string, changes: readonly Change[]): Promise<void> {
  const path = configPath(folder);
  const before = await Deno.readTextFile(path).catch((error) => {
    if (error instanceof Deno.errors.NotFound) return "{}\n";
    throw unusable(path, "it cannot be opened");
  });
  parseProviders(before, path);
  const edits = changes.map(({ path, value }) => ({ path: ["providers", ...path], value }));
  const after = await editJson(before.trim() === "" ? "{}\n" : before, { edits });
  try {
    parseProviders(after, path);
  } catch (error) {
    const place = error instanceof Fault ? / (providers\.\S+ is wrong)/.exec(error.message)?.[1] : undefined;
    throw new Fault(
      "usage",
      `Cannot change ${path}: ${place ?? "what was given does not fit"}. Nothing was changed.`,
    );
  }
  await writePrivateFile(path, { text: after, what: "the provider" });
}

function unusable(path: string, state: string): Fault {
  return new Fault("no_model", `Cannot use ${path}: ${state}. Correct it, or remove the file.`);
}
