/**
 * The two parts of a model's id.
 */

/** What stands after the provider in `provider:id`. */
export function modelName(id: string): string {
  return id.slice(id.indexOf(":") + 1);
}
