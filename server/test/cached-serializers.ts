import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import fastify, { type FastifyServerOptions } from 'fastify';

export { LogController } from 'fastify';

/** Replaces Fastify in `app.ts`, so that serialisers are compiled once per worker, not once per application. */
export default ((options: FastifyServerOptions) =>
  fastify({ ...options, schemaController: { compilersFactory: { buildSerializer } } })) as typeof fastify;

type Factory = NonNullable<
  NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>['buildSerializer']
>;

/** The serialiser of Fastify, in the version that it installs. */
const { SerializerSelector } = createRequire(fileURLToPath(import.meta.resolve('fastify')))(
  '@fastify/fast-json-stringify-compiler',
) as { SerializerSelector: () => Factory };

const cache = new Map<string, ReturnType<ReturnType<Factory>>>();

const buildSerializer: Factory = (schemas, options) => {
  const compile = SerializerSelector()(schemas, options);
  return (route) => {
    const key = JSON.stringify([schemas, options, route.schema]);
    const serializer = cache.get(key) ?? compile(route);
    cache.set(key, serializer);
    return serializer;
  };
};
