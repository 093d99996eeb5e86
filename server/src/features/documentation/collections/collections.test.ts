import { externalOperations } from '@classledger/contract';
// @ts-expect-error: it has no types; what is used of it is below.
import language from '@usebruno/lang';
import { unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { externalDoorDocument } from '../external-document.ts';
import { buildOpenApi } from '../openapi.ts';
import { DocumentReader } from '../reference/document-reader.ts';
import { brunoCollection } from './bruno.ts';
import { postmanCollection } from './postman.ts';

/** A request as Bruno's own parser reads it. */
interface BrunoRequest {
  readonly meta: { readonly name: string };
  readonly http: { readonly method: string; readonly url: string };
  readonly params?: readonly { name: string; type: string; enabled: boolean }[];
  readonly headers?: readonly { name: string; value: string; enabled: boolean }[];
  readonly body?: { readonly json: string };
}
const bruno: {
  bruToJsonV2(text: string): BrunoRequest;
  collectionBruToJson(text: string): { auth: unknown };
  bruToEnvJsonV2(text: string): { variables: { name: string; value: string; secret: boolean }[] };
} = language;

const origin = 'https://scores.example';
const options = { version: '1.2.3', origin: '', keyLengthMax: 128 };
const reader = new DocumentReader(buildOpenApi(externalDoorDocument, externalOperations, options));
const operations = reader.chapters.flatMap((chapter) => chapter.operations);

/** What must be sent of an operation, and the examples of its body. */
const expected = operations.map(({ method, path, parameters, body }) => ({
  call: `${method} ${path.replace(/\{(\w+)\}/g, ':$1')}`,
  needed: parameters.filter((one) => one.required || one.name === 'Idempotency-Key').map(({ name }) => name),
  optional: parameters
    .filter((one) => !one.required && one.name !== 'Idempotency-Key')
    .map(({ name }) => name),
  bodies: body?.examples.map(({ value }) => value) ?? [],
}));
type Expected = (typeof expected)[number];

/** Requests of one operation, one for each body, as one. */
function together(requests: readonly Expected[]): Expected[] {
  return Object.values(Object.groupBy(requests, ({ call }) => call)).map((same = []) => ({
    ...(same[0] as Expected),
    bodies: same.flatMap(({ bodies }) => bodies),
  }));
}

describe('the Bruno folder', () => {
  const files = Object.entries(unzipSync(brunoCollection(reader, origin))).map(
    ([path, bytes]) => [path, new TextDecoder().decode(bytes)] as const,
  );
  const file = (name: string) => files.find(([path]) => path === `classledger/${name}`)?.[1] ?? '';

  it('has every operation with every example, as Bruno reads it', () => {
    const requests = files
      .filter(
        ([path]) =>
          /^classledger\/[^/]+\/[^/]+\.bru$/.test(path) && !/folder\.bru$|environments\//.test(path),
      )
      .map(([, text]) => bruno.bruToJsonV2(text));
    const read = requests.map(({ http, params = [], headers = [], body }) => {
      const parts = [...params, ...headers];
      return {
        call: `${http.method.toUpperCase()} ${http.url.replace('{{baseUrl}}', '').split('?')[0]}`,
        needed: parts.filter(({ enabled }) => enabled).map(({ name }) => name),
        optional: parts.filter(({ enabled }) => !enabled).map(({ name }) => name),
        bodies: body === undefined ? [] : [JSON.parse(body.json)],
      };
    });
    const sorted = (list: readonly Expected[]) =>
      list
        .map((one) => ({ ...one, needed: one.needed.toSorted() }))
        .sort((a, b) => a.call.localeCompare(b.call));
    expect(sorted(together(read))).toEqual(sorted(expected));
    expect(requests.flatMap(({ headers = [] }) => headers.map(({ value }) => value))).toContain('{{$guid}}');
  });

  it('knows the address, and keeps the credential as a secret', () => {
    expect(JSON.parse(file('bruno.json'))).toMatchObject({ version: '1', type: 'collection' });
    expect(bruno.collectionBruToJson(file('collection.bru')).auth).toEqual({
      mode: 'bearer',
      bearer: { token: '{{token}}' },
    });
    expect(bruno.bruToEnvJsonV2(file('environments/This installation.bru')).variables).toMatchObject([
      { name: 'baseUrl', value: `${origin}/api/v1`, secret: false },
      { name: 'token', value: '', secret: true },
    ]);
  });
});

it('the Postman collection has every operation with every example; what may be left out is switched off', () => {
  interface Part {
    key: string;
    disabled?: boolean;
  }
  interface Item {
    request: {
      method: string;
      url: { path: string[]; query: Part[]; variable: Part[] };
      header: Part[];
      body?: { raw: string };
    };
  }
  const { item } = postmanCollection(reader, origin) as { item: { item: Item[] }[] };
  const read = item
    .flatMap((chapter) => chapter.item)
    .map(({ request: { method, url, header, body } }) => {
      const parts = [...url.variable, ...url.query, ...header].filter(({ key }) => key !== 'Content-Type');
      return {
        call: `${method} /${url.path.join('/')}`,
        needed: parts.filter(({ disabled }) => !disabled).map(({ key }) => key),
        optional: parts.filter(({ disabled }) => disabled).map(({ key }) => key),
        bodies: body === undefined ? [] : [JSON.parse(body.raw)],
      };
    });
  expect(together(read)).toEqual(expected);
});
