/**
 * What a person typed in earlier sessions (`history` in the config folder), in the Python program's form: a line for each prompt,
 * with a plus before it.
 */

const FILE = "history";
/** Prompts that are offered again. */
const MAX_LOADED = 100;
/** Bytes at the end of the file that are looked at. */
const MAX_READ = 1 << 20;

/** The latest prompts, oldest first. None where the file cannot be read. */
export async function readHistory(folder: string): Promise<string[]> {
  try {
    const file = await Deno.open(`${folder}/${FILE}`); // its stream closes it
    const { size } = await file.stat();
    await file.seek(Math.max(0, size - MAX_READ), Deno.SeekMode.Start);
    const text = await new Response(file.readable).text();
    return text.split("\n").filter((line) => line.startsWith("+")).map((line) => line.slice(1)).slice(
      -MAX_LOADED,
    );
  } catch {
    return [];
  }
}

/** Adds a prompt. Throws what the file system says. */
export async function addToHistory(folder: string, prompt: string): Promise<void> {
  await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
  const line = `+${prompt.replaceAll(/\s*\n\s*/g, " ")}\n`;
  await Deno.writeTextFile(`${folder}/${FILE}`, line, { append: true, mode: 0o600 });
}
