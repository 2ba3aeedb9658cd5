/**
 * Runs the programs that the build is made of.
 */

/** What it prints. Throws with its own words when it fails. */
export async function run(
  program: string,
  args: readonly string[],
  { env = {} }: { readonly env?: Record<string, string> } = {},
): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(program, { args: [...args], env }).output();
  const text = new TextDecoder();
  if (!success) throw new Error(`${program} ${args.join(" ")}\n${text.decode(stderr)}`);
  return text.decode(stdout);
}
