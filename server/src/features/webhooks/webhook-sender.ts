import type { Agent, IncomingMessage, RequestOptions } from 'node:http';
import { type DeliveryError, deliveryErrors, type WebhookMessage } from '@classledger/contract';
import { Webhook } from 'standardwebhooks';
import manifest from '../../../package.json' with { type: 'json' };
import { FairQueue } from '../../concurrency/fair-queue.ts';
import {
  checkIpAddress,
  guardedLookup,
  lookUpHost,
  RefusedAddressError,
  type Resolve,
  UnknownHostError,
} from './allowed-address.ts';

/** Limit for a whole answer; `deliveryErrors.late` states it in words. */
const answerTimeoutMs = 10_000;
/** The most bytes of an answer's body that are read. */
const answerBytesMax = 65_536;
/** Parallel sends in all and per school, so that slow receivers of one school do not delay others. */
const sendingMax = 32;
const sendingOfSchoolMax = 8;
/** Test calls have their own limits, so that they do not delay deliveries. */
const testingMax = 8;
const testingOfSchoolMax = 2;

/** A Standard Webhooks message; repeats have the same id. */
export type Message = WebhookMessage & { readonly id: string };

export interface AttemptResult {
  readonly delivered: boolean;
  readonly statusCode: number | null;
  readonly latencyMs: number;
  /** Null on success. */
  readonly error: string | null;
  readonly retryAfterMs: number | null;
}

export interface WebhookCall {
  readonly schoolId: number;
  readonly url: string;
  /** Each adds a signature. */
  readonly secrets: readonly string[];
  readonly message: Message;
  /** Signed, against replays. */
  readonly at: Date;
}

/** Sends to allowed addresses only. Keeps connections open, because messages come in series. */
export class WebhookSender {
  readonly allowPrivate: boolean;
  readonly #resolve: Resolve;
  readonly #agents = new Map<string, Agent>();
  readonly #sends = new FairQueue({ concurrency: sendingMax, perKey: sendingOfSchoolMax });
  readonly #tests = new FairQueue({ concurrency: testingMax, perKey: testingOfSchoolMax });

  constructor(allowPrivate: boolean, resolve: Resolve = lookUpHost) {
    this.allowPrivate = allowPrivate;
    this.#resolve = resolve;
  }

  /**
   * Makes one attempt; failures are part of the outcome. Returns null when `mayBegin` returned false.
   * @param mayBegin called when a send starts
   */
  send(call: WebhookCall, cut: AbortSignal, mayBegin: () => boolean): Promise<AttemptResult | null> {
    return this.#sends.run([String(call.schoolId)], async () =>
      mayBegin() ? this.#attempt(call, cut) : null,
    );
  }

  sendTest(call: WebhookCall): Promise<AttemptResult> {
    const { signal } = new AbortController();
    return this.#tests.run([String(call.schoolId)], () => this.#attempt(call, signal));
  }

  async #attempt({ url, secrets, message, at }: WebhookCall, cut: AbortSignal): Promise<AttemptResult> {
    const { id, ...content } = message;
    const body = JSON.stringify(content);
    const signatures = secrets.map((secret) => new Webhook(secret).sign(id, at, body));
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'user-agent': `Classledger-Webhooks/${manifest.version}`,
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': signatures.join(' '),
    };
    const startedAt = performance.now();
    const outcome = (
      part: Pick<AttemptResult, 'statusCode' | 'error'>,
      retryAfterMs: number | null = null,
    ) => ({
      ...part,
      delivered: part.error === null,
      latencyMs: Math.round(performance.now() - startedAt),
      retryAfterMs,
    });
    try {
      const signal = AbortSignal.any([cut, AbortSignal.timeout(answerTimeoutMs)]);
      const answer = await this.#post(new URL(url), headers, body, signal);
      const { statusCode = 0 } = answer;
      return outcome({ statusCode, error: statusError(statusCode) }, retryAfterOf(answer));
    } catch (error) {
      return outcome({ statusCode: null, error: reasonOf(error) });
    }
  }

  close(): void {
    for (const agent of this.#agents.values()) agent.destroy();
    this.#agents.clear();
  }

  async #post(url: URL, headers: RequestOptions['headers'] & object, body: string, signal: AbortSignal) {
    checkIpAddress(url, this.allowPrivate);
    const { request, Agent: AgentOf } = modules[url.protocol === 'http:' ? 'http:' : 'https:']();
    const lookup = guardedLookup(this.#resolve, url.protocol, this.allowPrivate);
    const agent =
      this.#agents.get(url.protocol) ?? new AgentOf({ keepAlive: true, maxFreeSockets: 16, timeout: 20_000 });
    this.#agents.set(url.protocol, agent);
    const post = (by: Agent | false) =>
      new Promise<IncomingMessage>((resolve, reject) => {
        const sent = request(url, { method: 'POST', headers, agent: by, lookup, signal }, (answer) => {
          drain(answer).then(() => resolve(answer), reject);
        });
        sent.on('error', (error: NodeJS.ErrnoException) =>
          reject(sent.reusedSocket && closedCodes.has(error.code) ? new IdleConnectionClosedError() : error),
        );
        sent.end(body);
      });
    return post(agent).catch((error) => {
      // Uses a new connection, because other idle ones may be closed too.
      if (error instanceof IdleConnectionClosedError) return post(false);
      throw error;
    });
  }
}

/** The receiver closed an idle connection, so it did not process the request. */
class IdleConnectionClosedError extends Error {}
const closedCodes: ReadonlySet<string | undefined> = new Set(['ECONNRESET', 'EPIPE']);

// Importing node:http by name loads undici, some 10 MB that the server does not need (http/node-http.ts).
const modules = {
  'http:': () => process.getBuiltinModule('node:http'),
  'https:': () => process.getBuiltinModule('node:https'),
};

/** Drains the answer so that the connection can be reused; stops at a limit. */
async function drain(answer: IncomingMessage): Promise<void> {
  let length = 0;
  for await (const part of answer as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > answerBytesMax) break;
  }
}

function statusError(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  const redirected = status >= 300 && status < 400;
  return redirected
    ? `The receiver answered ${status}; redirects are not followed`
    : `The receiver answered ${status}`;
}

function retryAfterOf({ headers }: IncomingMessage): number | null {
  const seconds = /^\d{1,6}$/.exec(headers['retry-after'] ?? '')?.[0];
  return seconds === undefined ? null : Number(seconds) * 1_000;
}

/** Returns the reason in our own words: messages of the network or a library could reveal the internal network. */
function reasonOf(error: unknown): DeliveryError {
  if (error instanceof RefusedAddressError) return deliveryErrors.address;
  if (error instanceof UnknownHostError) return deliveryErrors.host;
  const { name, code = '' } = error as NodeJS.ErrnoException;
  if (name === 'TimeoutError' || (error as { cause?: Error }).cause?.name === 'TimeoutError') {
    return deliveryErrors.late;
  }
  if (name === 'AbortError') return deliveryErrors.stopped;
  if (['ENOTFOUND', 'EAI_AGAIN', 'ENODATA'].includes(code)) return deliveryErrors.host;
  if (code === 'ECONNREFUSED') return deliveryErrors.refused;
  if (/^(ERR_TLS|CERT_|DEPTH_|UNABLE_TO|SELF_SIGNED|ERR_SSL|EPROTO)/.test(code)) {
    return deliveryErrors.encryption;
  }
  return deliveryErrors.broken;
}
