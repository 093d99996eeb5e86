import type { TSchema } from 'typebox';
import { Compile as compile } from 'typebox/schema';

type Compiled = ReturnType<typeof compile>;

const kept = new WeakMap<object, Compiled>();

/**
 * Stands in for the library where `http/input.ts` imports it: the same, but a schema is compiled once for all
 * applications of a worker. The tests build hundreds of them, all by the same contract.
 */
export function Compile(schema: TSchema): Compiled {
  const compiled = kept.get(schema) ?? compile(schema);
  kept.set(schema, compiled);
  return compiled;
}
