/**
 * The program with a library that talks: once it has begun, every function of the console prints, again and again.
 */

const { console: talking } = globalThis;
const { log } = talking;
/** What of it makes something instead of printing. */
const MAKERS = new Set(["Console", "context", "createTask"]);

setInterval(() => {
  if (talking.log === log) return; // the program has not begun
  for (const [name, say] of Object.entries(talking)) {
    if (typeof say === "function" && !MAKERS.has(name)) say.call(talking, "noise");
  }
}, 20);

await import("../../main.ts");
