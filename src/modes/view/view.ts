/**
 * How a run of the agent is shown to a person or a script. Types only.
 */
import type { AgentEvent } from "../../agent/events.ts";

export interface View {
  /** Shows one event; settles when it is shown as far as it can be by now. */
  show(event: AgentEvent): Promise<void>;
}
