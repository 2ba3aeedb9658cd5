/**
 * The colour themes by name. `dark`, `light` and `plain` use the sixteen colours that every terminal has.
 */
import type { Theme } from "./paint.ts";

export const DEFAULT_THEME = "nord";

const SHAPES = { strong: "1", emphasis: "3" };

const nord: Theme = {
  ...SHAPES,
  title: "1;38;5;110",
  muted: "38;5;245",
  keyword: "38;5;110",
  text: "38;5;108",
  number: "38;5;139",
  accent: "38;5;116",
  error: "38;5;131",
};

const dark: Theme = {
  ...SHAPES,
  title: "1;96",
  muted: "90",
  keyword: "94",
  text: "92",
  number: "95",
  accent: "96",
  error: "91",
};

const light: Theme = {
  ...SHAPES,
  title: "1;34",
  muted: "90",
  keyword: "34",
  text: "32",
  number: "35",
  accent: "36",
  error: "31",
};

const plain: Theme = {
  ...SHAPES,
  title: "1",
  muted: "2",
  keyword: "1",
  text: "0",
  number: "0",
  accent: "4",
  error: "1",
};

export const THEMES: { readonly [name: string]: Theme } = { nord, dark, light, plain };
