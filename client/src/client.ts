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
import { limit, readPages, sendInParts } from './lists.ts';
import { type MirrorOptions, type MirrorPage, type MirrorStore, mirror } from './mirror.ts';
import { defaultRetries, type RetryPolicy, retryWaitMs } from './retries.ts';
import { type Runtime, sendRequest } from './send-request.ts';
import { version } from './version.ts';

export interface ClientOptions {
  /** Address of the installation, such as `https://points.school.example`. */
  readonly url: string;
  /** The credential: `cls_...`. Store it like a password; never put it in a web page. */
  readonly token: string;
  /** Your program, for the school's log of calls, such as `library-kiosk/2.1`. */
  readonly userAgent?: string | undefined;
  /** Time limit for one attempt, including its answer; 30 seconds by default. */
  readonly timeoutMs?: number | undefined;
  readonly retries?: Partial<RetryPolicy> | undefined;
  readonly fetch?: typeof fetch | undefined;
  readonly clock?: Clock | undefined;
}

type InputField<K extends string, T> = T extends undefined
  ? { readonly [P in K]?: undefined }
  : { readonly [P in K]: T };

export type InputOf<I extends OperationId> = InputField<'path', Operations[I]['path']> &
  InputField<'body', Operations[I]['body']> & { readonly query?: Operations[I]['query'] };

/** Has one method per operationId; each returns the data or throws a ClassledgerError. Retries only safe calls. */
export class Classledger extends Methods {
  readonly #base: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #timeoutMs: number;
  readonly #retries: RetryPolicy;
  readonly #runtime: Runtime;

  /** @throws TypeError for an invalid address or credential */
  constructor(options: ClientOptions) {
    super();
    this.#base = `${installationUrl(options.url)}/api/v1`;
    // Checks the token, because a header accepts only visible characters and its error would disclose the token.
    if (!/^[\x21-\x7e]+$/.test(options.token ?? '')) throw new TypeError('The token is missing or malformed');
    const userAgent = [options.userAgent, `classledger-client/${version}`].filter(Boolean).join(' ');
    this.#headers = {
      accept: 'application/json',
      authorization: `Bearer ${options.token}`,
      // Left out in browsers, which set their own user agent.
      ...('document' in globalThis ? {} : { 'user-agent': userAgent }),
    };
    this.#timeoutMs = options.timeoutMs ?? 30_000;
    this.#retries = { ...defaultRetries, ...options.retries };
    this.#runtime = {
      fetch: options.fetch ?? ((...request) => fetch(...request)),
      clock: options.clock ?? systemClock,
    };
  }

  /** Calls an operation and returns the data with request id, replay and key. @throws ClassledgerError */
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
      url: this.#base + fillPath(template, path) + queryText(query),
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
      // PATCH and PUT set values. Without a key, a repeated POST would add again; a repeated DELETE would find nothing.
      isRepeatable: key !== null || !['POST', 'DELETE'].includes(method),
      isReadOrKeyed: key !== null || method === 'GET',
    };
    const { clock } = this.#runtime;
    for (let count = 1; ; count++) {
      try {
        const { data, requestId, originalRequestId } = await sendRequest(request, this.#runtime);
        return {
          data: data as Operations[I]['data'],
          requestId,
          replayed: originalRequestId !== null,
          originalRequestId,
          idempotencyKey: key,
          attempts: count,
        };
      } catch (error) {
        const waitMs = retryWaitMs(error, { attempt: count, ...repetition }, this.#retries, clock);
        if (error instanceof ClassledgerError) error.attempts = count;
        if (waitMs === null) throw error;
        await clock.sleep(waitMs, options.signal);
      }
    }
  }

  /**
   * Yields the changes after a cursor, which you store after each change. Without a cursor, call `getChanges()` first,
   * then read the lists. A stored cursor expires in a school without changes; `changePages` also gives cursors then.
   * @throws CursorTooOldError when the server no longer keeps the changes after the cursor
   */
  changes(options: ChangesOptions = {}): AsyncGenerator<ChangeAtCursor, void, undefined> {
    return eachChange(options.after, this.changePages(options));
  }

  /** Yields pages of changes, for programs that store many at once. A page may be empty. */
  changePages(options: ChangesOptions = {}): AsyncGenerator<ChangesPage, void, undefined> {
    return changePages(options, (query, each) => this.getChanges(query, each), this.#runtime.clock);
  }

  /**
   * Copies the data that the credential may list into your store, then follows the feed. A killed program continues at
   * the stored place. With an expired cursor (41001), the mirror reads the lists again. It ends when the copy is up to
   * date; with `pollMs`, when the signal aborts. Run only one mirror per store.
   * @throws ClassledgerError @throws TypeError when `load` returns an invalid place
   */
  mirror(store: MirrorStore, options: MirrorOptions = {}): Promise<void> {
    const source = {
      ping: this.ping.bind(this),
      getChanges: this.getChanges.bind(this),
      list: (type: keyof typeof listOperations, after: string, each: CallOptions) =>
        this.data(listOperations[type], { query: { after, limit } }, each) as Promise<MirrorPage>,
    };
    return mirror(source, store, options, this.#runtime.clock);
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
    return sendInParts<T>(id, body, options, (input, each) =>
      this.call(id, input as InputOf<OperationId>, each),
    );
  }
}

const listOperations = {
  student: 'listStudents',
  score: 'listScores',
  grade: 'listGrades',
  class: 'listClasses',
  template: 'listTemplates',
  category: 'listCategories',
} as const satisfies Record<string, OperationId>;

/** Removes the query, the fragment and the API path, so that an address copied from the guide or a browser works. */
function installationUrl(url: string): string {
  const { protocol, href } = new URL(url);
  if (!/^https?:$/.test(protocol)) throw new TypeError(`The url must begin with https:// or http://: ${url}`);
  return href.replace(/[?#].*$/, '').replace(/\/+(api\/v1\/*)?$/, '');
}

const fillPath = (template: string, path: Input['path'] = {}) =>
  template.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(path[name])));

function queryText(query: object = {}): string {
  const fields = Object.entries(query).filter(([, value]) => value !== undefined);
  if (fields.length === 0) return '';
  return `?${new URLSearchParams(fields.map(([name, value]) => [name, String(value)]))}`;
}
