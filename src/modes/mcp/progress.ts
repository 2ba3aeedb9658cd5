/**
 * Progress for a client that gave a token: notifications that keep it from giving its request up.
 */
import type { ServerContext } from "@modelcontextprotocol/server";
import type { CallOptions } from "../../tools/service.ts";

export function progressOf({ _meta, notify }: ServerContext["mcpReq"]): Pick<CallOptions, "progress"> {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return {};
  let progress = 0;
  return {
    progress: (message) => {
      progress++;
      const params = { progressToken, progress, message };
      notify({ method: "notifications/progress", params }).catch(() => {}); // the client may be gone
    },
  };
}
