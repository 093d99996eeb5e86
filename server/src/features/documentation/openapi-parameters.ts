import type { ExternalOperation, InternalOperation, Kind } from '@classledger/contract';
import { fieldsOf, type Json, type SchemaCatalogue } from './openapi-schemas.ts';

const kindNames: Partial<Record<Kind, string>> = {
  score: 'score record',
  term: 'closed term',
  secondFactor: 'passkey',
};

export function openApiPath(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}');
}

export function parametersOf(
  operation: ExternalOperation | InternalOperation,
  schemas: SchemaCatalogue,
): Json[] {
  return [...pathParameters(operation), ...queryParameters(operation, schemas)];
}

function pathParameters({ target = {} }: Pick<ExternalOperation, 'target'>): Json[] {
  return Object.entries(target).flatMap(([kind, place]) => {
    const [part, name] = place.split('.');
    if (part !== 'path') return [];
    return {
      name,
      in: 'path',
      required: true,
      description: `Id of the ${kindNames[kind as Kind] ?? kind}.`,
      schema: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
    };
  });
}

function queryParameters(operation: Pick<ExternalOperation, 'query'>, schemas: SchemaCatalogue): Json[] {
  if (operation.query === undefined) return [];
  const { fields, required } = fieldsOf(operation.query);
  return fields.map(([name, field]) => {
    // Omits examples of optional parameters: viewers would put them into the calls that people try.
    const { description, examples: _, ...schema } = schemas.publish(field) as Json;
    return {
      name,
      in: 'query',
      required: required.includes(name),
      // Declares ids=1,2, because the server does not accept the default style, ids=1&ids=2.
      ...(schema.type === 'array' && { style: 'form', explode: false }),
      description: (field as Json).description ?? description,
      schema,
    };
  });
}

export const idempotencyKey = (lengthMax: number): Json => ({
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: `A name of your choice for this one piece of work, for example a fresh UUID. Repeat the call with the same key, and the work is done once: later calls get the stored answer. Up to ${lengthMax} characters, kept for 24 hours at least. The body is not compared, so never use a key for other work.`,
  // Has no example: viewers put examples into calls that people copy, but each piece of work needs its own key.
  schema: { type: 'string', minLength: 1, maxLength: lengthMax },
});
