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

/** The bundle with the index filled in. Throws when a text that has to be replaced is not there. */
export function patch(bundle: string, { index, library }: { index: string; library: string }): string {
  const filled = replaceAll(bundle, {
    what: "the index of what the program carries",
    find: /"%INDEX%"/g,
    replace: JSON.stringify(index).replaceAll("$", "$$$$"),
  });
  return [...patches(library), PLACES].reduce(replaceAll, filled);
}

function replaceAll(text: string, { what, find, replace }: Patch): string {
  if (text.search(find) < 0) throw new Error(`The bundle does not load ${what} in the way that is known.`);
  return text.replaceAll(find, replace);
}
