/**
 * How long the event is that a server is sending, in a stream of server-sent events. What is in it is not looked at.
 */

const LF = 0x0a;
const CR = 0x0d;

export class EventMeter {
  /** Since the last blank line, which ends an event, and of the line that is under way. */
  #event = 0;
  #line = 0;
  #last: number | undefined;

  /** Takes more of the stream; the bytes of the event that is not at its end. */
  add(bytes: Uint8Array): number {
    let start = 0;
    for (let end = bytes.indexOf(LF); end >= 0; end = bytes.indexOf(LF, start)) {
      const length = this.#line + end - start;
      const isBlank = length === 0 || length === 1 && (end > 0 ? bytes[end - 1] : this.#last) === CR;
      this.#event = isBlank ? 0 : this.#event + end + 1 - start;
      this.#line = 0;
      start = end + 1;
    }
    this.#event += bytes.length - start;
    this.#line += bytes.length - start;
    this.#last = bytes.at(-1);
    return this.#event;
  }
}
