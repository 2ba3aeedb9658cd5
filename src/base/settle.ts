/**
 * Waiting for work that ends: it may take too long, and what comes of it is nobody's concern any more.
 */

/** Until the work settles, and no longer than this many milliseconds. */
export async function settle(work: Promise<unknown>, { ms }: { readonly ms: number }): Promise<void> {
  const bound = Promise.withResolvers<void>();
  const timer = setTimeout(bound.resolve, ms);
  await Promise.race([work.catch(() => {}), bound.promise]);
  clearTimeout(timer);
}
