/**
 * Whether lines of `saber rpc` are what its contract says, no more and no less.
 */
import assert from "node:assert/strict";
import * as z from "zod/mini";
import { Event } from "../../src/modes/rpc/contract/events.ts";
import { Response } from "../../src/modes/rpc/contract/responses.ts";

const Line = z.discriminatedUnion("type", [Event, Response]);

/** The line as the contract reads it. Throws for a line that is not in it, and for a member that it does not name. */
export function readContractLine(text: string): z.infer<typeof Line> {
  const value: unknown = JSON.parse(text);
  const line = Line.safeParse(value);
  if (!line.success) {
    throw new Error(`The contract has no such line:\n${text}\n${z.prettifyError(line.error)}`);
  }
  // What the contract does not name is missing from what was read.
  assert.deepEqual(value, line.data, "the line has members that the contract does not name");
  return line.data;
}
