import type { Clock } from './call.ts';
import { createApiError, MalformedAnswerError, NetworkError, TimeoutError } from './errors.ts';
import type { OperationId } from './generated/operations.ts';

export interface Request {
  readonly operation: OperationId;
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

export interface Runtime {
  readonly fetch: typeof fetch;
  readonly clock: Clock;
}

export interface ReceivedAnswer {
  readonly data: unknown;
  readonly requestId: string;
  readonly originalRequestId: string | null;
}

/** Sends once. @throws ApiError on refusal @throws NetworkError | TimeoutError | MalformedAnswerError without answer */
export async function sendRequest(request: Request, runtime: Runtime): Promise<ReceivedAnswer> {
  const { response, text } = await fetchText(request, runtime);
  const retryAfterSeconds = parseRetryAfter(response.headers.get('retry-after'), runtime.clock);
  const envelope = parseEnvelope(text);
  if (!envelope) {
    const location = response.headers.get('location');
    throw new MalformedAnswerError(request.operation, {
      status: response.status,
      text,
      location,
      retryAfterSeconds,
    });
  }
  const { code, message, data, requestId } = envelope;
  const originalRequestId = response.headers.get('original-request-id');
  if (code === 0 && response.ok) return { data, requestId, originalRequestId };
  throw createApiError(request.operation, code, message, {
    status: response.status,
    requestId,
    originalRequestId,
    retryAfterSeconds,
    acceptedPermission: response.headers.get('x-accepted-permissions'),
  });
}

async function fetchText(request: Request, runtime: Runtime): Promise<{ response: Response; text: string }> {
  const { operation, url, timeoutMs, signal, method, headers, body } = request;
  signal?.throwIfAborted();
  const ending = new AbortController();
  const timer = new AbortController();
  const abort = () => ending.abort(signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  const timeout = new TimeoutError(operation, timeoutMs);
  runtime.clock.sleep(timeoutMs, timer.signal).then(
    () => ending.abort(timeout),
    () => {},
  );
  try {
    // Does not follow redirects, because one could send the credential to another host or turn a POST into a GET.
    const init = { method, headers, body, redirect: 'manual' as const, signal: ending.signal };
    const response = await runtime.fetch(url, init);
    return { response, text: await response.text() };
  } catch (error) {
    signal?.throwIfAborted();
    throw ending.signal.aborted ? timeout : new NetworkError(operation, error);
  } finally {
    timer.abort();
    signal?.removeEventListener('abort', abort);
  }
}

interface Envelope {
  readonly code: number;
  readonly message: string;
  readonly data: unknown;
  readonly requestId: string;
}

function parseEnvelope(text: string): Envelope | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const { code, message, requestId } = (value ?? {}) as Partial<Envelope>;
  const isEnvelope = typeof code === 'number' && typeof message === 'string' && typeof requestId === 'string';
  return isEnvelope && 'data' in (value as object) ? (value as Envelope) : null;
}

/** Parses seconds, as the server sends, or a date, as a proxy can send. */
function parseRetryAfter(header: string | null, clock: Clock): number | null {
  if (header === null) return null;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - clock.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : null;
}
