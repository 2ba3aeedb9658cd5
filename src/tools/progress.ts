/**
 * Tells a caller who wants to know that its call is still under way, so that it does not give it up.
 */

const FIRST_MS = 1000;
const NEXT_MS = 5000;

/** Calls `tell` after a second and then every five, until the function it returns is called. */
export function keepTelling(tell: () => void): () => void {
  const again = () => {
    tell();
    timer = setTimeout(again, NEXT_MS);
  };
  let timer = setTimeout(again, FIRST_MS);
  return () => clearTimeout(timer);
}
