/**
 * Which of several servers will do, in the words of libpq's `target_session_attrs` (PostgreSQL manual, 34.1.2).
 */
import { Fault } from "../../../base/fault.ts";
import type { Hosts } from "../hosts.ts";
import type { Session } from "../session.ts";

/** What the server says `t` to when it is of the kind; any server is of a kind without a question. */
const QUESTIONS: { readonly [kind: string]: string | undefined } = {
  any: undefined,
  "read-write": "SELECT current_setting('transaction_read_only') = 'off'",
  "read-only": "SELECT current_setting('transaction_read_only') = 'on'",
  primary: "SELECT NOT pg_is_in_recovery()",
  standby: "SELECT pg_is_in_recovery()",
};

/** The kinds that are looked for, one after the other. Throws Fault `bad_target` for a word that libpq does not know. */
export function readKinds(word: string): readonly string[] {
  const kinds = word === "prefer-standby" ? ["standby", "any"] : [word];
  if (kinds.every((kind) => Object.hasOwn(QUESTIONS, kind))) return kinds;
  throw new Fault(
    "bad_target",
    `Cannot choose a server: target_session_attrs is unknown. Use one of ${
      Object.keys(QUESTIONS).join(", ")
    }, prefer-standby.`,
  );
}

/** A session on the first server of the first kind that there is one of. Throws Fault. */
export async function connectTo(
  hosts: Hosts,
  { kinds, signal }: { readonly kinds: readonly string[]; readonly signal: AbortSignal },
): Promise<Session> {
  let failure: unknown;
  for (const kind of kinds) {
    const question = QUESTIONS[kind];
    const check = async (session: Session) => {
      const [[answer] = []] = question === undefined ? [["t"]] : await session.rows(question, { signal });
      return answer === "t" ? undefined : new Fault(
        "unreachable",
        `Cannot connect to the database: no server is of the kind that target_session_attrs wants, ${kind}. Name another host.`,
      );
    };
    try {
      return await hosts.connect(signal, { check });
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}
