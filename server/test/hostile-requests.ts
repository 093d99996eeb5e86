import {
  type BodySchema,
  type ExternalOperation,
  hasForms,
  type InternalOperation,
} from '@classledger/contract';

const texts = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'x\udfff',
  '\ud83d\ude00',
  '\u202e\u200b',
  '\u0007',
  '\u007f\u0085',
  "'; DROP TABLE student; --",
  ...'%_\\ {{7*7}} #{1} <script> ../../../etc/passwd null undefined NaN true 0x10 1e3 00001 -0 １２'.split(
    ' ',
  ),
  'e\u0301'.repeat(60),
  '👩‍👩‍👧‍👦'.repeat(40),
  ...[64, 65, 101, 501, 20_000].map((length) => 'a'.repeat(length)),
];

const numbers = [
  0, -0, 1, -1, 1.5, -2.000001, 9_999, 10_000, 10_001, -10_000, -10_001, 2_147_483_647, 2_147_483_648,
  -2_147_483_649, 9_007_199_254_740_991, 9_007_199_254_740_992, 1e19, -1e19, 1e300, 5e-324,
];

const dates = (
  '2026-09-15 2026-02-30 0001-01-01 0000-12-31 9999-12-31 +10000-01-01 2026-09-15T10:00:00Z ' +
  '0001-01-01T00:00:00.000Z 0001-01-01T00:00:00+23:59 9999-12-31T23:59:59.999Z ' +
  '9999-12-31T23:59:59.9999Z 9999-12-31T23:59:59-23:59 2026-09-15T24:00:00Z 2026-09-15T10:00:60Z ' +
  '20260915 1789466400000'
).split(' ');

const rawPieces = '% %zz %00 %ff %ed%a0%80 %c0%af %2e%2e%2f %25 + ; #x %F0%9F%98%80 && ==='.split(' ');

const contentTypes = [
  'application/json; charset=utf-8',
  'application/json;charset=utf-16',
  'APPLICATION/JSON',
  'application/json, text/plain',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/vnd.api+json',
  'application/octet-stream',
  '*/*',
  ';',
  'x',
  '',
  'application/json; charset="',
];

const headerValues = [
  '',
  ' ',
  '\t',
  ...', ÿþ " * chunked close http://evil.example 100-continue h2c 0 -1 1e9'.split(' '),
];
const oddHeaders = (
  'accept accept-encoding accept-version connection cookie expect forwarded host if-match origin prefer ' +
  'range referer te upgrade user-agent x-forwarded-for x-forwarded-proto x-http-method-override ' +
  'x-request-id'
).split(' ');

/** Bodies other than a JSON object: other JSON, broken JSON, bytes. */
const rawBodies: readonly (string | Buffer)[] = [
  '',
  ' ',
  ...'{ {} [] null "text" 17 {"a":1,} {\'a\':1} {"a":1}{"b":2} {"scoreChange":1e999} {"scoreChange":01}'.split(
    ' ',
  ),
  '{"__proto__":{"admin":true}}',
  '{"constructor":{"prototype":{"x":1}}}',
  '\ufeff{}',
  '['.repeat(50_000),
  `${'{"items":['.repeat(5_000)}`,
  `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
  `{"items":${'['.repeat(5_000)}${']'.repeat(5_000)}}`,
  Buffer.from([0x7b, 0xff, 0xfe, 0x7d]),
  Buffer.from('{"username":"\xff"}', 'latin1'),
  Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]),
  Buffer.from('{"name":"a"}', 'utf16le'),
  Buffer.alloc(300),
];

export interface HostileRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly payload?: string | Buffer;
}

type Operation = ExternalOperation | InternalOperation;

/** Maps words of a path or field to a kind; the default is a student. */
const kinds = [
  ['template', /template/i],
  ['record', /score|log|ids/i],
  ['school', /school/i],
  ['class', /class/i],
  ['grade', /grade/i],
  ['seat', /seats/i],
  ['team', /teams/i],
  ['term', /term/i],
  ['announcement', /announcement/i],
  ['application', /application/i],
  ['administrator', /admin/i],
  ['credential', /token/i],
  ['student', /^/],
] as const;
type Kind = (typeof kinds)[number][0];
type Ids = Readonly<Partial<Record<Kind, readonly number[]>>>;

export interface KnownThings {
  readonly ids: Ids;
  /** Things that requests can delete; all others stay for later requests. */
  readonly expendable: Ids;
  readonly usernames: readonly string[];
}

/** The API that receives the requests. */
export interface HostileApi {
  readonly prefix: string;
  readonly operations: readonly Operation[];
  readonly identities: readonly Readonly<Record<string, string>>[];
  readonly schools: readonly string[];
}

interface PropertySchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly items?: PropertySchema;
  readonly 'x-entry'?: { readonly properties: Record<string, PropertySchema> };
  readonly 'x-instant'?: string;
}

const otherMethods = 'GET POST PUT PATCH DELETE HEAD OPTIONS TRACE PROPFIND SEARCH'.split(' ');
const oddIds = '0 -1 1.0 9007199254740992 99999999999999999999 007 999999999'.split(' ');

/** Makes requests that no well-meaning client sends, each for one operation of the contract. */
export class HostileRequests {
  readonly #random: () => number;
  readonly #known: KnownThings;
  readonly #api: HostileApi;

  constructor(random: () => number, known: KnownThings, api: HostileApi) {
    this.#random = random;
    this.#known = known;
    this.#api = api;
  }

  /** Returns a request for the API. */
  next(): HostileRequest {
    for (;;) {
      const request = this.#make();
      // `inject` resolves dot segments like a browser, so skips paths that lead out of the API.
      const { pathname } = new URL(request.url, 'http://localhost');
      const { prefix } = this.#api;
      if (pathname === prefix || pathname.startsWith(`${prefix}/`)) return request;
    }
  }

  #make(): HostileRequest {
    const operation = this.#pick(this.#api.operations);
    const path = operation.path.replace(/:(\w+)/g, () => this.#pathPart(operation));
    const query = this.#query(operation);
    const method = this.#chance(0.06) ? this.#pick(otherMethods) : operation.method;
    const headers: Record<string, string> = { ...this.#pick(this.#api.identities) };
    if (this.#chance(0.15))
      headers['idempotency-key'] = this.#pick([...headerValues, 'k', 'k'.repeat(128), 'k'.repeat(129), 'é']);
    for (let i = 0; this.#chance(0.12) && i < 4; i++)
      headers[this.#pick(oddHeaders)] = this.#pick(headerValues);
    const url = `${this.#api.prefix}${this.#chance(0.03) ? this.#malformedPath(path) : path}${query}`;
    const payload = this.#payload(operation.body);
    if (payload === undefined) return { method, url, headers };
    if (!this.#chance(0.03))
      headers['content-type'] = this.#chance(0.08) ? this.#pick(contentTypes) : 'application/json';
    if (this.#chance(0.02)) headers['content-length'] = this.#pick(['0', '1', '999999', '-1', 'x']);
    return { method, url, headers, payload };
  }

  #chance(probability: number): boolean {
    return this.#random() < probability;
  }

  #pick<T>(values: readonly T[]): T {
    return values[Math.floor(this.#random() * values.length)] as T;
  }

  #pathPart(operation: Operation): string {
    const { ids, expendable } = this.#known;
    // Changes only expendable schools and administrators, because changed ones can be unusable.
    const isLasting = operation.method === 'GET' || !/schools|manage/.test(operation.path);
    const things = operation.method === 'DELETE' || !isLasting ? expendable : ids;
    if (this.#chance(0.5)) return String(this.#id(operation.path, things));
    if (this.#chance(0.3)) return this.#pick([...rawPieces, '%2F', '..', '.', '%20', 'a%20b']);
    if (this.#chance(0.3)) return encode(this.#pick(texts)) || '0';
    return this.#pick([...oddIds, '1'.repeat(3_000)]);
  }

  #id(name: string, ids: Ids = this.#known.ids): number {
    const kind = kinds.find(([, pattern]) => pattern.test(name))?.[0] ?? 'student';
    return this.#pick(ids[kind] ?? this.#known.ids.student ?? [1]);
  }

  #malformedPath(path: string): string {
    return this.#pick([
      `${path}/`,
      `/${path}`,
      `${path}/../ping`,
      path.toUpperCase(),
      `${path}%00`,
      `${path}${this.#pick(rawPieces)}`,
      `/${'x'.repeat(5_000)}`,
      '/__proto__',
      '/openapi.json/x',
      '',
      '/',
      `/${encode(this.#pick(texts))}`,
    ]);
  }

  #query(operation: Operation): string {
    const parts: string[] = [];
    if ('destructive' in operation && this.#chance(0.7)) parts.push('confirm=true');
    if ('school' in operation && this.#chance(0.9)) {
      parts.push(`schoolDb=${this.#chance(0.05) ? this.#pick(rawPieces) : this.#pick(this.#api.schools)}`);
    }
    const fields = Object.entries((operation.query?.properties ?? {}) as Record<string, PropertySchema>);
    for (const [name, schema] of fields) {
      while (this.#chance(0.2))
        parts.push(
          `${name}=${this.#chance(0.1) ? this.#pick(rawPieces) : encode(String(this.#value(name, schema)))}`,
        );
    }
    while (this.#chance(0.08)) {
      parts.push(
        this.#pick([
          ...rawPieces,
          '__proto__=1',
          'constructor[prototype]=1',
          'page[]=1',
          'page=1&page=2',
          'confirm=TRUE',
          'confirm=true&confirm=true',
          `q=${'x'.repeat(4_000)}`,
        ]),
      );
    }
    return parts.length === 0 ? '' : `?${parts.join('&')}`;
  }

  #payload(schema: BodySchema | undefined): string | Buffer | undefined {
    if (!schema) return this.#chance(0.05) ? this.#pick(rawBodies) : undefined;
    if (this.#chance(0.05)) return undefined;
    if (this.#chance(0.12)) return this.#pick(rawBodies);
    if (this.#chance(0.001)) return JSON.stringify({ description: 'x'.repeat(1_100_000) });
    const fields = hasForms(schema) ? this.#pick(Object.values(schema.forms)) : schema;
    const text = JSON.stringify(this.#object(fields.properties as Record<string, PropertySchema>));
    return this.#chance(0.03) ? text.slice(0, Math.floor(this.#random() * text.length)) : text;
  }

  #object(fields: Record<string, PropertySchema>): Record<string, unknown> {
    const made: Record<string, unknown> = {};
    for (const [name, schema] of Object.entries(fields)) {
      if (!this.#chance(0.2)) made[name] = this.#value(name, schema);
    }
    if (this.#chance(0.06))
      made[this.#pick(['extra', '', 'constructor', 'toString', 'form', '\u0000', '\ud800'])] =
        this.#anything(2);
    // Plain assignment would set the prototype instead of a field.
    if (this.#chance(0.03))
      Object.defineProperty(made, '__proto__', { value: this.#anything(2), enumerable: true });
    return made;
  }

  #value(name: string, schema: PropertySchema): unknown {
    if (schema['x-entry']) return this.#entries(schema['x-entry'].properties);
    if (schema.items && this.#chance(0.8))
      return Array.from({ length: this.#pick([0, 1, 2, 3]) }, () =>
        this.#value(name, schema.items as PropertySchema),
      );
    if (this.#chance(0.12)) return this.#anything(3);
    if (schema['x-instant']) return this.#pick(dates);
    if (schema.enum) return this.#pick(schema.enum);
    if (/Id$|^ids$|^term$/.test(name))
      return this.#chance(0.7) ? this.#id(name === 'userId' ? 'student' : name) : this.#pick(numbers);
    // Hashing is slow, so unused usernames are rare.
    if (name === 'username')
      return this.#chance(0.05)
        ? `u${Math.floor(this.#random() * 1e9)}`
        : this.#pick([...this.#known.usernames, ...texts]);
    if (schema.type === 'integer')
      return this.#chance(0.4) ? Math.floor(this.#random() * 20) - 9 : this.#pick(numbers);
    if (schema.type === 'boolean') return this.#chance(0.5);
    return this.#chance(0.4) ? `text ${Math.floor(this.#random() * 1e6)}` : this.#pick(texts);
  }

  #entries(fields: Record<string, PropertySchema>): unknown {
    if (this.#chance(0.1)) return this.#anything(2);
    const count = this.#pick([0, 1, 1, 2, 3, 5, 201]);
    return Array.from({ length: count }, () =>
      this.#chance(0.15) ? this.#anything(2) : this.#object(fields),
    );
  }

  #anything(depth: number): unknown {
    const kind = Math.floor(this.#random() * (depth > 0 ? 7 : 5));
    if (kind === 0) return this.#pick(texts);
    if (kind === 1) return this.#pick(numbers);
    if (kind === 2) return this.#pick([null, true, false]);
    if (kind === 3) return this.#pick(dates);
    if (kind === 4) return String(this.#pick(numbers));
    if (kind === 5)
      return Array.from({ length: Math.floor(this.#random() * 4) }, () => this.#anything(depth - 1));
    return {
      [this.#pick(['a', 'length', 'toJSON', '__proto__', 'then', 'valueOf'])]: this.#anything(depth - 1),
    };
  }
}

/** Percent-encodes text; lone surrogates become invalid bytes, as from a careless client. */
function encode(text: string): string {
  return Array.from(text, (character) =>
    character.isWellFormed() ? encodeURIComponent(character) : '%ED%A0%80',
  ).join('');
}
