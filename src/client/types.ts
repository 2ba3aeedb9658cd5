/**
 * The contract's types, as a host of `saber rpc` uses them. Types only.
 */
import type * as z from "zod/mini";
import type { Command } from "../modes/rpc/contract/commands.ts";
import type { Event, Ready } from "../modes/rpc/contract/events.ts";
import type { Data } from "../modes/rpc/contract/responses.ts";

export type { Command, CommandName } from "../modes/rpc/contract/commands.ts";
export type { Data } from "../modes/rpc/contract/responses.ts";

/** What saber says first. */
export type Ready = z.infer<typeof Ready>;
/** What is told of a run, `agent_end` last. */
export type RunEvent = Exclude<Event, { type: "ready" }>;
/** What a command takes besides its type and id. */
export type Params<Name extends Command["type"]> = Omit<Extract<Command, { type: Name }>, "type" | "id">;
/** What a command answers. */
export type Answer<Name extends Command["type"]> = Data[Name];
