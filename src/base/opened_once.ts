/**
 * Something that is opened when it is first needed, and then the same for all. An opening that failed is tried again by the
 * next who needs it.
 */

export function openedOnce<Value>(open: () => Promise<Value>): () => Promise<Value> {
  let opened: Promise<Value> | undefined;
  return () => {
    const opening = opened ?? open();
    opened = opening;
    opening.catch(() => {
      if (opened === opening) opened = undefined;
    });
    return opening;
  };
}
