import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import fastify, { type FastifyServerOptions } from 'fastify';

export { LogController } from 'fastify';

/**
 * Stands in for Fastify where `app.ts` imports it: the same, but what makes the text of an answer is compiled once for
 * all applications of a worker. The tests build hundreds of them, all by the same contract.
 */
export default ((options: FastifyServerOptions) =>
  fastify({ ...options, schemaController: { compilersFactory: { buildSerializer } } })) as typeof fastify;

type Factory = NonNullable<
  NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>['buildSerializer']
>;

/** Fastify's own, of the version that it brings along. */
const { SerializerSelector } = createRequire(fileURLToPath(import.meta.resolve('fastify')))(
  '@fastify/fast-json-stringify-compiler',
) as { SerializerSelector: () => Factory };

const kept = new Map<string, ReturnType<ReturnType<Factory>>>();

const buildSerializer: Factory = (schemas, options) => {
  const compile = SerializerSelector()(schemas, options);
  return (route) => {
    const key = JSON.stringify([schemas, options, route.schema]);
    const serializer = kept.get(key) ?? compile(route);
    kept.set(key, serializer);
    return serializer;
  };
};
