import {
  type ExternalOperation,
  errorCodes,
  externalOperations,
  hasForms,
  type Method,
} from '@classledger/contract';
import { Validator } from '@seriousme/openapi-schema-validator';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { Compile as CompileSchema } from 'typebox/schema';
import { describe, expect, it } from 'vitest';
import { buildOpenApi } from './openapi.ts';
import { allErrorCodes, errorCodesOf } from './openapi-errors.ts';
import { openApiPath } from './openapi-parameters.ts';

interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  required: boolean;
  description: string;
  schema: object;
}
interface Response {
  $ref?: string;
  description: string;
  headers: Record<string, unknown>;
  content: { 'application/json': { schema: object; example?: unknown; examples?: Record<string, unknown> } };
}
interface Operation {
  operationId: string;
  description: string;
  tags: string[];
  parameters?: Parameter[];
  requestBody?: { content: { 'application/json': { schema: object; examples: object } } };
  responses: Record<string, Response>;
  security: Record<string, string[]>[];
}
interface Document {
  paths: Record<string, Partial<Record<Lowercase<Method>, Operation>>>;
  components: Record<string, Record<string, object>>;
  servers: { url: string }[];
  tags: { name: string; description?: string }[];
}

const document = buildOpenApi(externalOperations, { version: '1.2.3' }) as unknown as Document;
const operations: ExternalOperation[] = Object.values(externalOperations);

function documented(operation: ExternalOperation): Operation {
  const found =
    document.paths[openApiPath(operation.path)]?.[operation.method.toLowerCase() as Lowercase<Method>];
  if (found === undefined) throw new Error(`${operation.id} is not in the document`);
  return found;
}

/** Follows a reference inside the document. */
function resolved<T extends { $ref?: string }>(value: T): T {
  if (value.$ref === undefined) return value;
  const steps = value.$ref.slice(2).split('/');
  return steps.reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], document) as T;
}

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
    const result = await new Validator().validate(structuredClone(document) as never);
    expect(result.errors ?? []).toEqual([]);
    expect(result.valid).toBe(true);
  });

  it('holds every operation of the contract once, and nothing else', () => {
    const found = Object.values(document.paths).flatMap((path) => Object.values(path));
    expect(found.map((operation) => operation.operationId).sort()).toEqual(
      operations.map(({ id }) => id).sort(),
    );
  });

  it('refers only to components that exist', () => {
    const references = JSON.stringify(document).matchAll(/"\$ref":"#\/components\/([^"/]+)\/([^"]+)"/g);
    const missing = [...references].filter(([, kind = '', name = '']) => !document.components[kind]?.[name]);
    expect(missing).toEqual([]);
  });

  it('speaks of no internal annotation', () => {
    expect(JSON.stringify(document)).not.toMatch(/"x-(trim|entry|fallback|instant)"/);
  });

  it('describes every chapter and every parameter', () => {
    expect(document.tags.filter((tag) => !tag.description)).toEqual([]);
    const parameters = operations
      .flatMap((operation) => documented(operation).parameters ?? [])
      .map(resolved);
    expect(parameters.filter((parameter) => !parameter.description).map(({ name }) => name)).toEqual([]);
  });

  it('says of every field what it means', () => {
    expect(undescribed(document.components.schemas).concat(undescribed(document.paths))).toEqual([]);
  });

  it('points at the origin it is read from unless it is told another', () => {
    expect(document.servers[0]?.url).toBe('/api/v1');
    const elsewhere = buildOpenApi({}, { version: '1', serverUrl: 'https://scores.example' });
    expect((elsewhere as unknown as Document).servers[0]?.url).toBe('https://scores.example/api/v1');
  });

  it('refuses two schemas of one name', () => {
    const { ping, getStudent } = externalOperations;
    const impostor = { ...getStudent, data: { ...getStudent.data, title: 'Ping' } } as ExternalOperation;
    expect(() => buildOpenApi({ ping, getStudent: impostor }, { version: '1' })).toThrow('Ping');
  });
});

describe('error codes', () => {
  it('are all documented somewhere', () => {
    const used = new Set(operations.flatMap(errorCodesOf));
    expect([...used].sort()).toEqual(allErrorCodes());
  });

  it.each(operations)('of $id each have an example under their own status', (operation) => {
    const examples = Object.entries(documented(operation).responses).flatMap(([status, response]) =>
      Object.entries(resolved(response).content['application/json'].examples ?? {}).map(([code, example]) => {
        const { value } = resolved(example as { $ref?: string; value?: { code: number; message: string } });
        expect(value).toMatchObject({ code: Number(code), data: null });
        expect(resolved(response).description).toContain(`**${code} `);
        return { code: Number(code), status: Number(status) };
      }),
    );
    expect(examples.map(({ code }) => code).sort()).toEqual(errorCodesOf(operation));
    for (const code of operation.errors) expect(errorCodesOf(operation)).toContain(code);
    for (const { code, status } of examples) {
      expect(errorCodes[code as keyof typeof errorCodes].status).toBe(status);
    }
  });

  it('follow from what an operation takes and needs', () => {
    const { ping, deleteGrade, writeScores, listStudents } = externalOperations;
    const everyCall = [40101, 40102, 40103, 40104, 40105, 40301, 42901, 50001];
    expect(errorCodesOf(ping)).toEqual(everyCall);
    expect(errorCodesOf(listStudents)).toEqual([40002, ...everyCall, 40302].sort());
    expect(errorCodesOf(deleteGrade)).toEqual(
      expect.arrayContaining([40001, 40002, 40004, 40302, 40303, 40401]),
    );
    expect(errorCodesOf(writeScores)).toEqual(
      expect.arrayContaining([40001, 40002, 40003, 40303, 40401, 40901]),
    );
  });
});

describe.each(operations)('$id', (operation) => {
  it('has examples that its own schemas accept', () => {
    expect(complaints(operation.data, operation.examples.data)).toEqual([]);
    for (const example of Object.values(operation.examples.body ?? {})) {
      expect(complaints(schemaOfBody(operation, example), example)).toEqual([]);
    }
    expect(Object.keys(operation.examples.body ?? {}).length > 0).toBe(operation.body !== undefined);
  });

  it('has examples that the published schemas accept', () => {
    const { requestBody, responses } = documented(operation);
    const { schema, example } = responses[200]?.content['application/json'] ?? {};
    expect(publishedAccepts(schema, example)).toBe(true);
    const body = requestBody?.content['application/json'];
    for (const { value } of Object.values(body?.examples ?? {})) {
      expect(publishedAccepts(body?.schema, value)).toBe(true);
    }
  });

  it('names its credential, its parameters and its headers', () => {
    const { parameters = [], security, responses, description } = documented(operation);
    expect(security.map((requirement) => Object.keys(requirement))).toEqual([['bearer'], ['apiToken']]);
    if (operation.permission !== null) expect(description).toContain(operation.permission);
    const names = parameters.map(resolved).map((parameter) => `${parameter.in} ${parameter.name}`);
    expect(names).toEqual([
      ...[...operation.path.matchAll(/:(\w+)/g)].map(([, name]) => `path ${name}`),
      ...Object.keys((operation.query as { properties?: object } | undefined)?.properties ?? {}).map(
        (name) => `query ${name}`,
      ),
      ...(operation.destructive ? ['query confirm'] : []),
      ...(operation.idempotent ? ['header Idempotency-Key'] : []),
    ]);
    const headers = Object.keys(responses[200]?.headers ?? {});
    expect(headers).toEqual(expect.arrayContaining(['X-Request-Id', 'X-RateLimit-Remaining', 'RateLimit']));
    expect(headers.includes('Idempotency-Replayed')).toBe(operation.idempotent === true);
    const headersOf = (status: number) => Object.keys(resolved(responses[status] as Response).headers);
    expect(headersOf(401)).toContain('WWW-Authenticate');
    expect(headersOf(403)).toContain('X-Accepted-Permissions');
    expect(headersOf(429)).toContain('Retry-After');
  });
});

it('publishes the entries of bulk requests, which the contract checks one by one', () => {
  const scores = document.components.schemas?.WriteScoresBatch as {
    properties: { items: { items: object } };
  };
  expect(scores.properties.items.items).toEqual({ $ref: '#/components/schemas/ScoreEntry' });
  expect(publishedAccepts({ $ref: '#/components/schemas/ScoreEntry' }, { userId: 1, points: 2 })).toBe(false);
});

/** Names of the fields, in all schemas below, that have neither a description nor a named schema. */
function undescribed(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { properties = {} } = value as {
    properties?: Record<string, { $ref?: string; description?: string }>;
  };
  const here = Object.entries(properties).filter(([, field]) => !field.$ref && !field.description);
  const below = Object.entries(value).filter(([key]) => key !== 'example' && key !== 'examples');
  return [...here.map(([name]) => name), ...below.flatMap(([, part]) => undescribed(part))];
}

function schemaOfBody({ body }: ExternalOperation, example: unknown): TSchema {
  if (body === undefined) throw new Error('an example body without a body');
  if (!hasForms(body)) return body;
  return body.forms[body.choose(example as Record<string, unknown>)] as TSchema;
}

function complaints(schema: TSchema, value: unknown): unknown[] {
  return Compile(schema).Errors(value);
}

function publishedAccepts(schema: object | undefined, value: unknown): boolean {
  return CompileSchema({ ...schema, components: document.components } as never).Check(value);
}
