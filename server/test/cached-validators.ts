import type { TSchema } from 'typebox';
import { Compile as compile } from 'typebox/schema';

type Compiled = ReturnType<typeof compile>;

const cache = new WeakMap<object, Compiled>();

/** Replaces the library in `http/input.ts`, to compile a schema once per worker instead of once per application. */
export function Compile(schema: TSchema): Compiled {
  const compiled = cache.get(schema) ?? compile(schema);
  cache.set(schema, compiled);
  return compiled;
}
