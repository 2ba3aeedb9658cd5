/**
 * How `saber --mode rpc` deals with what the user says in mid-run, as a host made it the default: the member `rpc` of
 * `config.jsonc`, whose other members and comments stay.
 */
import * as z from "zod/mini";
import { changeJsonFile } from "./json_file.ts";
import { configPath } from "./providers.ts";

const queue = z.catch(z.optional(z.enum(["all", "one-at-a-time"])), undefined);
const Modes = z.object({
  steeringMode: queue,
  followUpMode: queue,
  interruptMode: z.catch(z.optional(z.enum(["immediate", "wait"])), undefined),
});
const Config = z.object({ rpc: z.catch(z.optional(Modes), undefined) });

export type QueueModes = z.infer<typeof Modes>;

/** What is not saved, or cannot be read, is left out. */
export async function readQueueModes(folder: string): Promise<QueueModes> {
  const text = await Deno.readTextFile(configPath(folder)).catch(() => undefined);
  if (text === undefined) return {};
  const { parse } = await import("jsonc-parser");
  const config = Config.safeParse(parse(text, [], { allowTrailingComma: true }));
  return config.data?.rpc ?? {};
}

/** Throws Fault `unavailable`. */
export async function saveQueueMode(
  folder: string,
  { name, mode }: { readonly name: keyof QueueModes; readonly mode: string },
): Promise<void> {
  const edits = [{ path: ["rpc", name], value: mode }];
  await changeJsonFile(configPath(folder), { edits, empty: "{}\n", what: "the mode" });
}
