import { randomUUID } from 'node:crypto';
import {
  type ExternalOperation,
  externalOperations,
  httpStatusOf,
  type InternalOperation,
  internalOperations,
  mayDo,
  roles,
  webhookEventNames,
} from '@classledger/contract';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { externalApiDocument } from './external-document.ts';
import { internalApiDocument } from './internal-document.ts';
import { failureStatusesOf } from './internal-errors.ts';
import { buildOpenApi } from './openapi.ts';
import type { Response } from './openapi-document.ts';
import { allErrorCodes, errorCodesOf } from './openapi-errors.ts';
import { PublishedDocument } from './testing/published-document.ts';

const options = { version: '1.2.3', origin: 'https://scores.example', keyLengthMax: 128 };
const external = new PublishedDocument(buildOpenApi(externalApiDocument, externalOperations, options));
const internal = new PublishedDocument(buildOpenApi(internalApiDocument, internalOperations, options));
const externals: ExternalOperation[] = Object.values(externalOperations);
const internals: InternalOperation[] = Object.values(internalOperations);

const pathParameters = ({ path }: { path: string }) =>
  [...path.matchAll(/:(\w+)/g)].map(([, name]) => `path ${name}`);
const queryParameters = ({ query }: { query?: unknown }) =>
  Object.keys((query as { properties?: object } | undefined)?.properties ?? {}).map(
    (name) => `query ${name}`,
  );

type Operation = ExternalOperation | InternalOperation;

describe.each<[string, PublishedDocument, readonly Operation[]]>([
  ['external', external, externals],
  ['internal', internal, internals],
])('The %s OpenAPI document', (api, document, operations) => {
  it('is valid OpenAPI 3.1 with every operation of the contract once, and refers only to existing components', async () => {
    const result = await new Validator().validate(structuredClone(document.root) as never);
    expect(result).toMatchObject({ valid: true });
    const ids = document.operations.map((operation) => operation.operationId);
    expect(ids.sort()).toEqual(operations.map(({ id }) => id).sort());
    expect(document.brokenReferences()).toEqual([]);
  });

  it('describes every tag, parameter and field', () => {
    expect(document.root.tags.filter((tag) => !tag.description)).toEqual([]);
    const parameters = operations.flatMap((operation) => document.parametersOf(operation));
    expect(parameters.filter((parameter) => !parameter.description).map(({ name }) => name)).toEqual([]);
    expect(document.undescribedFields()).toEqual([]);
  });

  it('avoids internal annotations and constructs that client generators cannot handle', () => {
    const text = JSON.stringify(document.root);
    expect(text).not.toMatch(/"x-(trim|entry|fallback|instant)"/);
    expect(text).not.toContain('"pattern"');
    expect(text).not.toContain('int64');
    expect(text).not.toMatch(/"enum":\[[^\]]*null/);
    for (const parameter of operations.flatMap((one) => document.parametersOf(one))) {
      if (parameter.in === 'header') expect(parameter.schema).toHaveProperty('type', 'string');
    }
    const names = Object.values(document.root.components).flatMap((components) => Object.keys(components));
    expect(names.filter((name) => !/^[A-Za-z]+$/.test(name))).toEqual([]);
  });

  it('limits path ids and page sizes, and shows no example for an optional filter', () => {
    const external: Readonly<Record<string, number>> = { getChanges: 1_000, listDayStatistics: 31 };
    for (const operation of operations) {
      const most = api === 'internal' ? 500 : (external[operation.id] ?? 100);
      for (const { name, in: part, required, schema } of document.parametersOf(operation)) {
        const what = `${operation.id} ${name}`;
        const id = { minimum: 1, maximum: Number.MAX_SAFE_INTEGER };
        if (part === 'path') expect(schema, what).toMatchObject(id);
        if (name === 'limit') expect(schema, what).toMatchObject({ minimum: 1, maximum: most });
        if (!required) expect(schema, what).not.toHaveProperty('examples');
      }
    }
  });

  it('the schema of a change rejects a body without any field', () => {
    const accepting = operations.filter((operation) => {
      const { requestBody } = document.of(operation);
      const schema = requestBody?.content['application/json'].schema;
      return operation.method === 'PATCH' && document.accepts(schema, {});
    });
    expect(accepting.map(({ id }) => id)).toEqual([]);
  });

  it('has examples that match its schemas, one for each form of a body', () => {
    const wrong = operations.map((operation) => [operation.id, document.wrongExamples(operation)] as const);
    expect(wrong.filter(([, examples]) => examples.length > 0)).toEqual([]);
  });
});

it('the external document describes all subscribable webhook events and the test event', () => {
  expect(Object.keys(external.root.webhooks ?? {})).toEqual([...webhookEventNames, 'webhook.test']);
  expect(internal.root.webhooks).toBeUndefined();
});

const exampleOf = (type: string) =>
  Object.values(
    external.root.webhooks?.[type]?.post.requestBody.content['application/json'].examples ?? {},
  )[0]?.value as { type: string; data: Record<string, unknown> };

it.each(Object.keys(external.root.webhooks ?? {}))(
  'the webhook event %s has an example that matches its schema',
  (type) => {
    expect(exampleOf(type).type).toBe(type);
    expect(external.isMessage(exampleOf(type) as never)).toBe(true);
  },
);

it('a webhook message requires the record, or the tombstone of a deleted record', () => {
  for (const [type, field] of [
    ['student.created', 'record'],
    ['student.deleted', 'tombstone'],
  ] as const) {
    const message = exampleOf(type);
    const incomplete = { ...message, data: { ...message.data, [field]: null } };
    expect(external.isMessage(incomplete as never)).toBe(false);
  }
});

it('buildOpenApi rejects two schemas with the same name', () => {
  const { ping, getStudent } = externalOperations;
  const impostor = { ...getStudent, data: { ...getStudent.data, title: 'Ping' } } as ExternalOperation;
  expect(() => buildOpenApi(externalApiDocument, { ping, getStudent: impostor }, options)).toThrow('Ping');
});

it('the document contains the schema of bulk entries, which requires userId or username', () => {
  const addScores = internal.of(internalOperations.addScores).requestBody;
  for (const [document, schema, entry] of [
    [external, external.root.components.schemas.WriteScoresBatch, 'ScoreEntry'],
    [internal, addScores?.content['application/json'].schema, 'UserScoreEntry'],
  ] as const) {
    const { items } = (schema as { properties: { items: { items: object } } }).properties;
    const reference = { $ref: `#/components/schemas/${entry}` };
    expect(items.items).toEqual(reference);
    expect(document.accepts(reference, { userId: 1, points: 2 })).toBe(false);
  }
  const accepts = (name: string, value: object) =>
    external.accepts({ $ref: `#/components/schemas/${name}` }, value);
  for (const [student, isAccepted] of [
    [{ userId: 1 }, true],
    [{ username: 'chen.jing' }, true],
    [{ userId: 1, username: '陈静' }, true],
    [{}, false],
  ] as const) {
    expect(accepts('ScoreEntry', student)).toBe(isAccepted);
    expect(accepts('WriteScoresSingle', { ...student, scoreChange: 1 })).toBe(isAccepted);
  }
});

it('the operations of the external API can return every documented error code', () => {
  const used = new Set(externals.flatMap(errorCodesOf));
  expect([...used].sort()).toEqual(allErrorCodes());
});

it.each(externals)('the error codes of $id each have an example under their own status', (operation) => {
  const codes = errorCodesOf(operation);
  expect(codes).toEqual(expect.arrayContaining([...(operation.errors ?? [])]));
  const found: number[] = [];
  for (const [status, response] of Object.entries(external.of(operation).responses)) {
    const { description, content } = external.resolve(response);
    const { schema, examples = {} } = content['application/json'];
    const own = codes.filter((code) => httpStatusOf(code) === Number(status));
    for (const [code, example] of Object.entries(examples)) {
      const { value } = external.resolve(example as { $ref?: string; value?: object });
      expect(own).toContain(Number(code));
      expect(value).toMatchObject({ code: Number(code), data: null });
      expect(description).toContain(`**${code} `);
      found.push(Number(code));
    }
    const failure = (code: number) => ({ code, message: 'No.', data: null, requestId: randomUUID() });
    const taken = allErrorCodes().filter((code) => external.accepts(schema, failure(code)));
    if (status !== '200') expect(taken).toEqual(own);
  }
  expect(found.sort()).toEqual(codes);
});

it.each(externals)('$id documents its credential, parameters and headers', (operation) => {
  const { security, responses, description } = external.of(operation);
  expect(security.map((requirement) => Object.keys(requirement))).toEqual([['bearer'], ['apiToken']]);
  if (operation.permission !== null) expect(description).toContain(operation.permission);
  expect(external.parametersOf(operation).map((parameter) => `${parameter.in} ${parameter.name}`)).toEqual([
    ...pathParameters(operation),
    ...queryParameters(operation),
    ...(operation.destructive ? ['query confirm'] : []),
    ...(operation.idempotent ? ['header Idempotency-Key'] : []),
  ]);
  const headers = Object.keys(responses[200]?.headers ?? {});
  expect(headers).toEqual(expect.arrayContaining(['X-Request-Id', 'X-RateLimit-Remaining', 'RateLimit']));
  expect(headers.includes('Idempotency-Replayed')).toBe(operation.idempotent === true);
  const headersOf = (status: number) => Object.keys(external.resolve(responses[status] as Response).headers);
  expect(headersOf(401)).toContain('WWW-Authenticate');
  expect(headersOf(403)).toContain('X-Accepted-Permissions');
  expect(headersOf(429)).toContain('Retry-After');
});

it.each(internals)('internal operation $id documents its callers, parameters and failures', (operation) => {
  const { security, responses, description, requestBody } = internal.of(operation);
  const ofAdmin = operation.access === 'admin' ? operation : null;
  if (operation.access === 'public') {
    expect(security).toEqual([]);
    expect(description).toContain('Requires no sign-in');
  } else if (operation.access === 'student') {
    expect(security).toEqual([{ student: [] }]);
    expect(description).toContain('token of a student');
  } else {
    const allowed = roles.filter((role) => mayDo(role, operation.duty));
    expect(security).toEqual([{ session: allowed }]);
    for (const role of roles) {
      const name = `${role.replace('_admin', '')} (`;
      expect(description.includes(name)).toBe(allowed.includes(role));
    }
  }

  const parameters = internal.parametersOf(operation);
  expect(parameters.map((parameter) => `${parameter.in} ${parameter.name}`)).toEqual([
    ...pathParameters(operation),
    ...queryParameters(operation),
    ...(ofAdmin?.school ? ['query schoolDb'] : []),
    ...(ofAdmin?.confirmPassword || ofAdmin?.stepUp ? ['header x-confirm-password'] : []),
    ...(ofAdmin?.idempotent ? ['header Idempotency-Key'] : []),
    ...(ofAdmin ? ['header x-expected-admin'] : []),
  ]);
  const school = parameters.find(({ name }) => name === 'schoolDb');
  // `schoolDb` may be in the body when there is one.
  if (school) expect(school.required).toBe(ofAdmin?.school === 'required' && !operation.body);
  if (school && requestBody) {
    const { oneOf = [] } = requestBody.content['application/json'].schema as { oneOf?: { $ref: string }[] };
    const schemas = [requestBody, ...oneOf.map((form) => internal.resolve(form))];
    expect(JSON.stringify(schemas)).toContain('"schoolDb":{');
  }
  for (const { value } of Object.values(requestBody?.content['application/json'].examples ?? {})) {
    expect('schoolDb' in (value as object)).toBe(ofAdmin?.school === 'required');
  }

  const headers = Object.keys(responses[200]?.headers ?? {});
  const isList = (operation.data as { type?: string }).type === 'array';
  expect(headers.includes('X-Total-Count')).toBe(isList);
  expect(headers.includes('Idempotency-Replayed')).toBe(ofAdmin?.idempotent !== undefined);
  expect(headers).toContain('X-Request-Id');
  expect(Object.keys(responses).map(Number)).toEqual([200, ...failureStatusesOf(operation)]);
  for (const status of failureStatusesOf(operation)) {
    const response = internal.resolve(responses[status] as Response);
    const { schema, example } = response.content['application/json'];
    expect(response.description).not.toBe('');
    expect(internal.accepts(schema, example)).toBe(true);
    expect('Retry-After' in response.headers).toBe(status === 429 || status === 503);
  }
});

it.each([
  ['getMe', [400, 401, 403, 500, 503]],
  ['login', [400, 401, 403, 413, 429, 500, 503]],
  ['issueCredential', [400, 401, 403, 404, 413, 429, 500, 503]],
  ['getUser', [400, 401, 403, 404, 500, 503]],
  ['addScore', [400, 401, 403, 404, 409, 413, 500, 503]],
  ['createSchoolGrade', [400, 401, 403, 404, 409, 413, 500, 503]],
  ['listAnnouncements', [400, 500, 503]],
] as const)('statuses of internal failures follow from body, session and school: %s', (id, statuses) => {
  expect(failureStatusesOf(internalOperations[id])).toEqual(statuses);
});
