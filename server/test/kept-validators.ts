import type { TSchema } from 'typebox';
import { Compile as compile } from 'typebox/schema';

type Compiled = ReturnType<typeof compile>;

const kept = new WeakMap<object, Compiled>();

/** Compiles a schema once per worker, not per application; replaces the library in `http/input.ts`. */
export function Compile(schema: TSchema): Compiled {
  const compiled = kept.get(schema) ?? compile(schema);
  kept.set(schema, compiled);
  return compiled;
}
