import { attempt, type World } from './attempt.ts';
import {
  type Answer,
  type BatchOptions,
  type CallOptions,
  type Clock,
  type Input,
  systemClock,
} from './call.ts';
import {
  type ChangeAtCursor,
  type ChangesOptions,
  type ChangesPage,
  changePages,
  eachChange,
} from './changes.ts';
import { ClassledgerError } from './errors.ts';
import { Methods, type Operations } from './generated/methods.ts';
import { type OperationId, operations } from './generated/operations.ts';
import { newKey } from './keys.ts';
import { type MirrorOptions, type MirrorPage, type MirrorStore, mirror } from './mirror.ts';
import { pageOf, readPages } from './pages.ts';
import { inParts } from './parts.ts';
import { defaultRetries, type RetryPolicy, waitBefore } from './retries.ts';
import { version } from './version.ts';

/** Where the school's installation is, who calls, and how patient the client is. */
export interface ClientOptions {
  /** Address of the installation, such as `https://points.school.example`. */
  readonly url: string;
  /** The credential: `cls_...`. Keep it where you keep passwords, never in a page that others load. */
  readonly token: string;
  /** Who calls, for the school's log of calls, such as `library-kiosk/2.1`. */
  readonly userAgent?: string | undefined;
  /** How long one attempt may take, the answer included; 30 seconds unless given. */
  readonly timeoutMs?: number | undefined;
  readonly retries?: Partial<RetryPolicy> | undefined;
  /** Instead of the platform's. */
  readonly fetch?: typeof fetch | undefined;
  /** Instead of the system's; for tests. */
  readonly clock?: Clock | undefined;
}

type Given<K extends string, T> = T extends undefined
  ? { readonly [P in K]?: undefined }
  : { readonly [P in K]: T };

/** What `call` takes for an operation. */
export type InputOf<I extends OperationId> = Given<'path', Operations[I]['path']> &
  Given<'body', Operations[I]['body']> & { readonly query?: Operations[I]['query'] };

/**
 * A school's Classledger: one method per operation of the API, under its operationId. Every method answers the data, and throws
 * a ClassledgerError. What may be repeated is repeated: reads, writes with a key (there always is one), changes that
 * set values, and whatever was refused for being too many.
 */
export class Classledger extends Methods {
  readonly #base: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #timeoutMs: number;
  readonly #retries: RetryPolicy;
  readonly #world: World;

  /** @throws TypeError when the address or the credential can be none */
  constructor(options: ClientOptions) {
    super();
    this.#base = `${originOf(options.url)}/api/v1`;
    // A header takes visible characters only, and an error that quotes them would disclose the credential.
    if (!/^[\x21-\x7e]+$/.test(options.token ?? ''))
      throw new TypeError('The token is missing, or is no credential');
    const caller = [options.userAgent, `classledger-client/${version}`].filter(Boolean).join(' ');
    this.#headers = {
      accept: 'application/json',
      authorization: `Bearer ${options.token}`,
      // Browsers say themselves what they are.
      ...('document' in globalThis ? {} : { 'user-agent': caller }),
    };
    this.#timeoutMs = options.timeoutMs ?? 30_000;
    this.#retries = { ...defaultRetries, ...options.retries };
    this.#world = {
      fetch: options.fetch ?? ((...request) => fetch(...request)),
      clock: options.clock ?? systemClock,
    };
  }

  /**
   * Calls an operation and answers what came beside the data, too: the request id, whether it was a replay, the key.
   *
   * @throws ClassledgerError
   */
  async call<I extends OperationId>(
    id: I,
    input: InputOf<I>,
    options: CallOptions = {},
  ): Promise<Answer<Operations[I]['data']>> {
    const { path, query, body }: Input = input;
    const { method, path: template, takesKey } = operations[id];
    const key = takesKey ? (options.idempotencyKey ?? newKey()) : null;
    const request = {
      operation: id,
      url: this.#base + filled(template, path) + asText(query),
      method,
      headers: {
        ...this.#headers,
        ...(body && { 'content-type': 'application/json' }),
        ...(key !== null && { 'idempotency-key': key }),
      },
      body: body ? JSON.stringify(body) : null,
      timeoutMs: options.timeoutMs ?? this.#timeoutMs,
      signal: options.signal,
    };
    const repetition = {
      // PATCH and PUT set values. A second POST without a key would add once more, a second DELETE find nothing.
      isRepeatable: key !== null || !['POST', 'DELETE'].includes(method),
      isReadOrKeyed: key !== null || method === 'GET',
    };
    const { clock } = this.#world;
    for (let count = 1; ; count++) {
      try {
        const { data, requestId, originalRequestId } = await attempt(request, this.#world);
        return {
          data: data as Operations[I]['data'],
          requestId,
          replayed: originalRequestId !== null,
          originalRequestId,
          idempotencyKey: key,
          attempts: count,
        };
      } catch (error) {
        const wait = waitBefore(error, { attempt: count, ...repetition }, this.#retries, clock);
        if (error instanceof ClassledgerError) error.attempts = count;
        if (wait === null) throw error;
        await clock.sleep(wait, options.signal);
      }
    }
  }

  /**
   * What has changed after a cursor, one change after the other, each with the cursor to be stored once it is done. Without a cursor, begin
   * with `getChanges()`: its cursor is of now; then read the lists, and go on from there.
   *
   * While nothing changes there is no cursor to store, and the stored one grows too old in the end: a program that may be quiet for
   * days takes `changePages`, whose empty pages have cursors, too.
   *
   * @throws CursorTooOldError when changes after the cursor are no longer kept: begin anew
   */
  changes(options: ChangesOptions = {}): AsyncGenerator<ChangeAtCursor, void, undefined> {
    return eachChange(options.after, this.changePages(options));
  }

  /** The same page by page, for whoever stores many changes at once. A page may be empty. */
  changePages(options: ChangesOptions = {}): AsyncGenerator<ChangesPage, void, undefined> {
    return changePages(options, (query, each) => this.getChanges(query, each), this.#world.clock);
  }

  /**
   * Keeps a copy of what the credential may list: reads the lists into your store once, and follows the feed from then on. May be killed
   * at any moment; run again, it goes on where the store stands. When the feed cannot go on (41001), it begins with the lists again.
   *
   * Ends when the copy is up to date, or with `pollMs` when the signal says so. Only one may run on a store at a time.
   *
   * @throws ClassledgerError
   * @throws TypeError when the store gives back what is no place
   */
  mirror(store: MirrorStore, options: MirrorOptions = {}): Promise<void> {
    const source = {
      ping: this.ping.bind(this),
      getChanges: this.getChanges.bind(this),
      list: (type: keyof typeof listOf, after: string, each: CallOptions) =>
        pageOf({}, after, each, (query, own) =>
          this.data(listOf[type], { query }, own),
        ) as Promise<MirrorPage>,
    };
    return mirror(source, store, options, this.#world.clock);
  }

  protected override async data<I extends OperationId>(
    id: I,
    input: Input,
    options: CallOptions | undefined,
  ): Promise<Operations[I]['data']> {
    return (await this.call(id, input as InputOf<I>, options)).data;
  }

  protected override entries<T>(id: OperationId, query: object, options: CallOptions = {}) {
    return readPages<T>(query, options, (page, each) => this.data(id, { query: page }, each));
  }

  protected override parts<T>(id: OperationId, body: object, options: BatchOptions<T> = {}): Promise<T> {
    return inParts<T>(id, body, options, (input, each) => this.call(id, input as InputOf<OperationId>, each));
  }
}

/** The list that shows the things of a type. */
const listOf = {
  student: 'listStudents',
  score: 'listScores',
  grade: 'listGrades',
  class: 'listClasses',
  template: 'listTemplates',
} as const satisfies Record<string, OperationId>;

/** The address without what may follow it, so that one copied from the guide or a browser does. */
function originOf(url: string): string {
  const { protocol, href } = new URL(url);
  if (!/^https?:$/.test(protocol)) throw new TypeError(`The url must begin with https:// or http://: ${url}`);
  return href.replace(/[?#].*$/, '').replace(/\/+(api\/v1\/*)?$/, '');
}

const filled = (template: string, path: Input['path'] = {}) =>
  template.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(path[name])));

/** Query fields as text; a list has its entries between commas. */
function asText(query: object = {}): string {
  const fields = Object.entries(query).filter(([, value]) => value !== undefined);
  if (fields.length === 0) return '';
  return `?${new URLSearchParams(fields.map(([name, value]) => [name, String(value)]))}`;
}
