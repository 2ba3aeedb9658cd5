/**
 * The host's part in the calls of a run: what it said to them, and in which words they end when they are stopped.
 */
import type { RawJson } from "../../base/json.ts";
import type { HostAnswer, HostTools } from "./host_tools.ts";
import type { HostUris } from "./host_uris.ts";

export interface HostSide {
  /** The host's own words for a call, once; undefined for calls of other tools and for those that failed. */
  takeAnswer(callId: string): HostAnswer | undefined;
  /** Why a call that waited for the host has no result; undefined for one that did not. */
  stopped(call: { readonly toolName: string; readonly args: RawJson }): string | undefined;
}

export function hostSide(
  { hostTools, hostUris }: { readonly hostTools: HostTools; readonly hostUris: HostUris },
): HostSide {
  return {
    takeAnswer: (callId) => hostTools.takeAnswer(callId),
    stopped: ({ toolName, args }) => {
      if (hostTools.tools.some(({ name }) => name === toolName)) return hostTools.stopped(toolName);
      if (toolName !== "read" && toolName !== "write") return undefined;
      const path = pathIn(JSON.parse(args.text));
      const isHosts = path !== undefined && hostUris.find(path) !== undefined;
      return isHosts ? hostUris.stopped({ operation: toolName, url: path }) : undefined;
    },
  };
}

function pathIn(args: unknown): string | undefined {
  const isGiven = typeof args === "object" && args !== null && "path" in args;
  return isGiven && typeof args.path === "string" ? args.path : undefined;
}
