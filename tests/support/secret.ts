/**
 * A password made of rare words with everything between them that addresses, SQL and JSON treat specially, so that
 * any piece of it in an output is seen, however it was cut or written.
 */
const WORDS = ["kumquatier", "zinniabel", "mandrillon", "tamarindus", "pomeloxyl", "quokkaria"];
const SIGNS = [":", "/", "@", " %2F", "'\\", ""];

export const SECRET = WORDS.map((word, index) => word + SIGNS[index]).join("");

/** As it stands in a URL. */
export const SECRET_IN_URL = encodeURIComponent(SECRET).replaceAll("'", "%27");

/** The pieces of the password that a text holds, also in base64. */
export function piecesOfSecret(text: string): string[] {
  const lower = text.toLowerCase();
  const found = WORDS.filter((word) => lower.includes(word));
  const encoded = WORDS.filter((word) =>
    // three ways to lie in base64; the ends depend on what is around it
    ["", "a", "ab"].some((before) =>
      text.includes(btoa(before + word).slice(before.length === 0 ? 0 : 4, -4))
    )
  );
  return [...new Set([...found, ...encoded])];
}
