/**
 * Loaded into a program before it starts (`deno run --preload`): when the program ends, it writes to stderr what the program
 * was still allowed to do. It asks Deno alone and changes nothing.
 */
const NAMES = ["read", "write", "env", "net", "run", "ffi", "sys"] as const;
/** What a permission is asked for where only a part of it was given. */
const PARTS = { run: { command: "deno" }, sys: { kind: "hostname" } } as const;

globalThis.addEventListener("unload", () => {
  const held = NAMES.filter((name) => {
    const part = name === "run" || name === "sys" ? PARTS[name] : {};
    return [{ name }, { name, ...part }].some((each) => Deno.permissions.querySync(each).state === "granted");
  });
  Deno.stderr.writeSync(new TextEncoder().encode(`\nheld at the end: ${held.join(" ")}\n`));
});
