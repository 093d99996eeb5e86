import type { ExternalOperation } from '@classledger/contract';
import { fieldsOf, type Json, type SchemaCatalogue } from './openapi-schemas.ts';

/** What a filter does, where the contract leaves it to the name. */
const filters: Readonly<Record<string, string>> = {
  classId: 'Only what belongs to this class.',
  gradeId: 'Only what belongs to this grade.',
  userId: 'Only records of the student with this id.',
  username: 'Only records of the student with exactly this username.',
  keyword: 'Part of the username or of the actual name, in any case; no character is special.',
  disabled: 'Only disabled students, or only enabled ones.',
};

/** What an id in a path names, by the segment before it. */
const namedByPath: Readonly<Record<string, string>> = {
  students: 'the student',
  scores: 'the score record',
  grades: 'the grade',
  classes: 'the class',
  templates: 'the template',
};

/** The operation's path with OpenAPI's braces around its parameters. */
export function openApiPath(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}');
}

/** Path, query and header parameters of an operation. */
export function parametersOf(operation: ExternalOperation, schemas: SchemaCatalogue): Json[] {
  const parameters = [...pathParameters(operation.path), ...queryParameters(operation, schemas)];
  if (operation.destructive) parameters.push(confirmation);
  if (operation.idempotent) parameters.push({ $ref: '#/components/parameters/IdempotencyKey' });
  return parameters;
}

function pathParameters(path: string): Json[] {
  return [...path.matchAll(/(\w+)\/:(\w+)/g)].map(([, segment = '', name]) => ({
    name,
    in: 'path',
    required: true,
    description: `Id of ${namedByPath[segment] ?? 'the record'}.`,
    schema: { type: 'integer', format: 'int64', minimum: 1 },
  }));
}

function queryParameters(operation: ExternalOperation, schemas: SchemaCatalogue): Json[] {
  if (operation.query === undefined) return [];
  const { fields, required } = fieldsOf(operation.query);
  return fields.map(([name, field]) => {
    const { description, ...schema } = schemas.publish(field) as Json;
    return {
      name,
      in: 'query',
      required: required.includes(name),
      description: filters[name] ?? description,
      schema,
    };
  });
}

const confirmation: Json = {
  name: 'confirm',
  in: 'query',
  required: true,
  description: 'Must be `true`. It is there so that nothing is destroyed by a slip.',
  schema: { type: 'string', const: 'true' },
};

/** Parameters that several operations share, for `components.parameters`. */
export const sharedParameters: Json = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'A name of your choice for this one piece of work, best a fresh UUID. Repeat a call with the same key and the work is done once: later calls get the stored answer. Up to 128 characters, kept for 24 hours at least. The body is not compared, so never use a key for other work.',
    // Operators may change the length, so it is told and not enforced by generated clients. There is no example
    // either: viewers put examples into calls that people copy, and a key must never be used for other work.
    schema: { type: 'string', minLength: 1 },
  },
};
