/**
 * The contract's types as our own code writes them. Types only, so that writing loads no schema.
 */
import type { Json } from "../../../base/json.ts";
import type { Event, MessageUpdate } from "./events.ts";
import type { AssistantMessage, ContentBlock, ToolCall, TranscriptMessage } from "./messages.ts";
import type { Data } from "./responses.ts";
import type { Artifact, QueryResult } from "./shapes.ts";
import type * as z from "zod/mini";

/** A value of the contract before it is JSON: integers of any size, and JSON text where anything may stand. */
export type Spelled<T> = unknown extends T ? Json
  : number extends T ? number | bigint | Exclude<T, number>
  : T extends readonly (infer Element)[] ? readonly Spelled<Element>[]
  : T extends object ? (string extends keyof T ? Json : { readonly [Key in keyof T]: Spelled<T[Key]> })
  : T;

export type EventName = Event["type"];
/** What an event carries besides its type. */
export type EventFields<Name extends EventName> = Spelled<OmitType<Extract<Event, { type: Name }>>>;
export type AnswerTo<Name extends keyof Data> = Spelled<Data[Name]>;
export type SpelledMessage = Spelled<z.infer<typeof TranscriptMessage>>;
export type SpelledAssistant = Spelled<z.infer<typeof AssistantMessage>>;
export type SpelledCall = Spelled<z.infer<typeof ToolCall>>;
export type SpelledBlock = Spelled<z.infer<typeof ContentBlock>>;
export type SpelledUpdate = Spelled<z.infer<typeof MessageUpdate>>;
export type SpelledArtifact = Spelled<z.infer<typeof Artifact>>;
export type SpelledResult = Spelled<z.infer<typeof QueryResult>>;

/** Omit would melt a union into one. */
type OmitType<T> = T extends unknown ? Omit<T, "type"> : never;
