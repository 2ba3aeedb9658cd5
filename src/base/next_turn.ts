/**
 * The next turn of the event loop: what has come in already is taken up before whoever waits for it goes on.
 */

/** A global that the types of Deno 2.7 do not know. */
declare function setImmediate(callback: () => void): unknown;

export function nextTurn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
