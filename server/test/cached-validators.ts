import type { TSchema } from 'typebox';
import { Compile as compile } from 'typebox/schema';

type Compiled = ReturnType<typeof compile>;

const cache = new WeakMap<object, Compiled>();

/** In tests, `http/input.ts` imports this instead of `typebox/schema`, so a worker compiles each schema once. */
export function Compile(schema: TSchema): Compiled {
  const compiled = cache.get(schema) ?? compile(schema);
  cache.set(schema, compiled);
  return compiled;
}
