/**
 * Makes the bundled libraries load what the program carries. Each change names the text that it expects in the bundle,
 * so that a new version of a library that looks different fails the build.
 */

interface Patch {
  readonly what: string;
  readonly find: RegExp;
  readonly replace: string;
}

const CARRIED = 'globalThis[Symbol.for("saber.carried")]';

function patches(library: string): readonly Patch[] {
  return [
    {
      what: "DuckDB's native library",
      find: /__require\("@duckdb\/node-bindings-[\w-]+\/duckdb\.node"\)/g,
      replace: `${CARRIED}.library("duckdb.node", "${library}")`,
    },
    {
      what: "the keyring's native library",
      find: /import\("@napi-rs\/keyring"\)/g,
      replace: `Promise.resolve().then(() => ${CARRIED}.library("keyring.node"))`,
    },
    {
      what: "the WebAssembly of PostgreSQL's parser",
      find: /(async function getWasmBinary\(binaryFile\) \{\n)/g,
      replace: `$1 return ${CARRIED}.bytes("libpg-query.wasm");\n`,
    },
    {
      what: "the folder of PostgreSQL's parser",
      find: /scriptDirectory = __dirname \+ "\/";/g,
      replace: 'scriptDirectory = "";',
    },
    {
      what: "the WebAssembly of the SQL parser",
      find: /await readFile\w*\(new URL\("\.\.\/wasm\/sqlparser_rs_wasm_bg\.wasm", import\.meta\.url\)\)/g,
      replace: `${CARRIED}.bytes("sqlparser.wasm")`,
    },
  ];
}

/** Where a package lay on the machine that builds: the same program comes out wherever it is built. */
const PLACES: Patch = {
  what: "a package",
  find: /"(?:\.\.\/)*[^"\n]*?\/npm\/[\w.-]+\/(?=[^"\n]+"\()/g,
  replace: '"',
};

/** Patches what was bundled into a folder. Throws when a text that has to be replaced is nowhere there. */
export async function patchFiles(
  folder: string,
  { index, library }: { readonly index: string; readonly library: string },
): Promise<void> {
  const files = await readFiles(folder);
  const changes = [
    {
      what: "the index of what the program carries",
      find: /"%INDEX%"/g,
      replace: JSON.stringify(index).replaceAll("$", "$$$$"),
    },
    ...patches(library),
    PLACES,
    ...commonJs(files),
  ];
  for (const { what, find, replace } of changes) {
    const found = [...files].filter(([, text]) => text.search(find) >= 0);
    if (found.length === 0) throw new Error(`The bundle does not load ${what} in the way that is known.`);
    for (const [name, text] of found) files.set(name, text.replaceAll(find, replace));
  }
  for (const [name, text] of files) await Deno.writeTextFile(`${folder}/${name}`, text);
}

/** The bundler gives a CommonJS package that is imported where it is needed only its default export. */
function commonJs(files: ReadonlyMap<string, string>): readonly Patch[] {
  const names = [...files].filter(([, text]) => /^export default require_\w+\(\);$/m.test(text)).map((
    [name],
  ) => name);
  return names.map((name) => ({
    what: name,
    find: new RegExp(`import\\("\\./${name.replaceAll(".", "\\.")}"\\)`, "g"),
    replace: "$&.then(({ default: all }) => Object.create(all, { default: { value: all } }))",
  }));
}

async function readFiles(folder: string): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for await (const { name } of Deno.readDir(folder)) {
    files.set(name, await Deno.readTextFile(`${folder}/${name}`));
  }
  return files;
}
