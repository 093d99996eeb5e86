import type { ExternalOperation, InternalOperation, ResourceKind } from '@classledger/contract';
import { fieldsOf, type Json, type SchemaCatalogue } from './openapi-schemas.ts';

const kindNames: Partial<Record<ResourceKind, string>> = {
  score: 'point record',
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
      description: `Id of the ${kindNames[kind as ResourceKind] ?? kind}.`,
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
  description: `A unique key for this write, for example a new UUID. The server processes calls with the same key once, and later calls return the stored response. A key has up to ${lengthMax} characters and is kept for at least 24 hours. The server does not compare bodies, so never reuse a key for another write.`,
  // Has no example: viewers put examples into calls that people copy, but each piece of work needs its own key.
  schema: { type: 'string', minLength: 1, maxLength: lengthMax },
});
