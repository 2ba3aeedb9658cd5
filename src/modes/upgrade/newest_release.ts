/**
 * The newest release, as GitHub's API tells it, and how versions are ordered (semver.org, 2.0.0, without build metadata).
 */
import * as z from "zod/mini";
import { boundedBody } from "../../base/bounded_body.ts";
import { Fault } from "../../base/fault.ts";

const VERSION = /^v?\d{1,9}\.\d{1,9}\.\d{1,9}(-[0-9A-Za-z.-]{1,99})?$/;
/** What is printed of it must not be able to paint the terminal. */
const answer = z.object({
  tag_name: z.string().check(z.regex(VERSION)),
  html_url: z.string().check(z.regex(/^https:\/\/[\w./-]{1,999}$/)),
});
const MAX_LENGTH = 4 << 20;

export interface ReleaseInfo {
  /** Without a `v`. */
  readonly version: string;
  /** Its page. */
  readonly url: string;
}

/** Throws Fault: unavailable, timeout, cancelled. */
export async function newestRelease(url: string, signal: AbortSignal): Promise<ReleaseInfo> {
  const fail = (state: string) => new Fault("unavailable", `Cannot look for a newer release: ${state}.`);
  let status: number;
  let body: string;
  try {
    const headers = { accept: "application/vnd.github+json", "user-agent": "saber" };
    const response = await fetch(url, { headers, signal });
    status = response.status;
    body = await boundedBody(response, MAX_LENGTH);
  } catch (error) {
    if (error instanceof SyntaxError) throw fail("the server says too much. Try later");
    if (!signal.aborted) throw fail("the server cannot be reached. Check the network");
    const isLate = signal.reason instanceof DOMException && signal.reason.name === "TimeoutError";
    if (isLate) {
      throw new Fault("timeout", "Cannot look for a newer release: the server does not answer. Try later.");
    }
    throw new Fault("cancelled", "The look for a newer release was cancelled.");
  }
  if (status === 404) throw fail("nothing has been released. Build it from its sources");
  if (status === 403 || status === 429) throw fail("the server answers no more questions now. Try later");
  const read = status === 200 ? z.safeParse(answer, parsed(body)) : undefined;
  if (!read?.success) throw fail(`the server does not say (HTTP ${status}). Try later`);
  return { version: read.data.tag_name.replace(/^v/, ""), url: read.data.html_url };
}

/** Undefined for what is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether version `a` is newer than `b`, both without a `v`. */
export function isNewer(a: string, b: string): boolean {
  const left = read(a);
  const right = read(b);
  const order = compareAll(left.numbers, right.numbers);
  if (order !== 0) return order > 0;
  // what comes before a release is older than it
  if (left.before.length === 0 || right.before.length === 0) return left.before.length < right.before.length;
  return compareAll(left.before, right.before) > 0;
}

interface Version {
  readonly numbers: readonly string[];
  readonly before: readonly string[];
}

function read(text: string): Version {
  const [numbers = "", ...before] = text.split("-");
  return { numbers: numbers.split("."), before: before.length === 0 ? [] : before.join("-").split(".") };
}

/** Part by part; of two that agree the longer one is greater. */
function compareAll(a: readonly string[], b: readonly string[]): number {
  for (const [at, part] of a.entries()) {
    const other = b[at];
    if (other === undefined) return 1;
    const order = compare(part, other);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/** Numbers by their value, before words, which go by their characters. */
function compare(a: string, b: string): number {
  const [isNumber, otherIsNumber] = [a, b].map((part) => /^\d+$/.test(part));
  if (isNumber && otherIsNumber) return Number(a) - Number(b);
  if (isNumber !== otherIsNumber) return isNumber ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}
