/**
 * What a client sent, from its JSON text. Clients whose language has one word for nothing say null where the protocol has
 * members left out; those are left out here. Nothing else is judged.
 */

/** Throws SyntaxError for what is no JSON. */
export function readClientJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  for (const message of Array.isArray(value) ? value : [value]) {
    leaveOut(message, "params");
    if (isObject(message) && "params" in message) leaveOut(message.params, "arguments");
  }
  return value;
}

function leaveOut(holder: unknown, name: string): void {
  if (isObject(holder) && Reflect.get(holder, name) === null) Reflect.deleteProperty(holder, name);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
