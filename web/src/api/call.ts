import { operations } from 'virtual:contract';
import type { RefusalReason } from '@classledger/contract';
import { readServerClock } from '../school-time/school-time.ts';
import { ApiFailure, NetworkFailure, NotConfirmedError } from './api-failure.ts';
import { confirmIdentity } from './confirmation.ts';
import { connection } from './connection.ts';
import { takeEarlyAnswer } from './early-requests.ts';
import type { DataOf, InputArguments, ListId, OperationId, RowOf } from './operation-types.ts';
import { pageAdmin, studentToken, waitForSignIn } from './session-state.ts';

export interface Page<Row> {
  readonly rows: Row[];
  readonly total: number;
}

interface LooseInput {
  readonly params?: Readonly<Record<string, number>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly confirmPassword?: string;
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
  readonly inBackground?: boolean;
}

interface Answer {
  readonly data: unknown;
  readonly total: number;
}

/** Calls an operation; asks for sign-in or confirmation. @throws ApiFailure, NotConfirmedError, NetworkFailure */
export async function call<I extends OperationId>(id: I, ...[input]: InputArguments<I>): Promise<DataOf<I>> {
  return (await send(id, (input ?? {}) as LooseInput)).data as DataOf<I>;
}

export async function callList<I extends ListId>(
  id: I,
  ...[input]: InputArguments<I>
): Promise<Page<RowOf<I>>> {
  const { data, total } = await send(id, (input ?? {}) as LooseInput);
  if (Array.isArray(data)) return { rows: data as RowOf<I>[], total };
  const page = data as { list: RowOf<I>[]; total: number };
  return { rows: page.list, total: page.total };
}

/** Name of the window event after a call was refused because the person must first set up a second factor. */
export const secondFactorMissingEvent = 'second-factor-missing';

/** Returns a key under which the server applies a write once, even if it is repeated. */
export function newIdempotencyKey(): string {
  // crypto.randomUUID needs https, but many schools use the pages over plain http in their own network.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

async function send(id: OperationId, input: LooseInput): Promise<Answer> {
  try {
    return await sendOnce(id, input);
  } catch (error) {
    const ended = error instanceof ApiFailure && error.status === 401 && operations[id][2] !== 'public';
    if (ended && id !== 'logout' && id !== 'studentLogout') {
      const signedIn = waitForSignIn();
      if (!input.inBackground && (await signedIn)) return sendOnce(id, input);
    }
    if (error instanceof ApiFailure && error.reason === 'confirm') {
      if (!input.inBackground && (await confirmIdentity())) return sendOnce(id, input);
      throw new NotConfirmedError();
    }
    if (error instanceof ApiFailure && error.reason === 'factor')
      dispatchEvent(new Event(secondFactorMissingEvent));
    throw error;
  }
}

async function sendOnce(id: OperationId, input: LooseInput): Promise<Answer> {
  const [method, path, access] = operations[id];
  const headers = new Headers({ accept: 'application/json' });
  if (input.body !== undefined) headers.set('content-type', 'application/json');
  if (input.confirmPassword !== undefined) {
    headers.set('x-confirm-password', encodeURIComponent(input.confirmPassword));
  }
  if (input.idempotencyKey !== undefined) headers.set('idempotency-key', input.idempotencyKey);
  // A sign-in also sends the old token, so that the server ends the session of that token.
  const ofStudent = access === 'student' || id === 'studentLogin' || id === 'signInByCode';
  const token = ofStudent ? studentToken.get() : null;
  if (token !== null) headers.set('authorization', `Bearer ${token}`);
  const admin = pageAdmin.get();
  if (access === 'admin' && admin !== null) headers.set('x-expected-admin', String(admin));
  let answer: Response;
  let text: string;
  try {
    const address = urlOf(path, input);
    const ahead = method === 'GET' ? await takeEarlyAnswer(address, token) : null;
    answer =
      ahead ??
      (await fetch(address, {
        method,
        headers,
        ...(input.body !== undefined && { body: JSON.stringify(input.body) }),
        ...(input.signal && { signal: input.signal }),
        ...(input.inBackground && { keepalive: true }),
      }));
    readServerClock(answer.headers.get('date'));
    text = await answer.text();
  } catch (error) {
    // A call that the page itself aborted does not show whether the server can be reached.
    if (!(error instanceof DOMException && error.name === 'AbortError')) connection.markUnreachable();
    throw new NetworkFailure(error);
  }
  const envelope = parse(text);
  // An answer that is not an envelope of the API came from a proxy or another machine on the way.
  if (envelope) connection.markReachable();
  else connection.markUnreachable();
  if (answer.ok && envelope?.success) {
    if (id === 'getMe') pageAdmin.setOnce((envelope.data as DataOf<'getMe'>).id);
    return { data: envelope.data, total: Number(answer.headers.get('x-total-count') ?? 0) };
  }
  const retryAfter = Number(answer.headers.get('retry-after') ?? Number.NaN);
  throw new ApiFailure(
    answer.ok ? 502 : answer.status,
    envelope?.message ?? answer.statusText,
    Number.isFinite(retryAfter) ? retryAfter : null,
    // Without an envelope, the request id may be one that a proxy made up.
    envelope && answer.headers.get('x-request-id'),
    envelope?.reason,
  );
}

function urlOf(path: string, { params = {}, query = {} }: LooseInput): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => String(params[name]));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') search.set(name, String(value));
  }
  return search.size === 0 ? `/api${filled}` : `/api${filled}?${search}`;
}

interface Envelope {
  readonly success: boolean;
  readonly data: unknown;
  readonly message?: string;
  readonly reason?: RefusalReason;
}

function parse(text: string): Envelope | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && 'success' in value ? (value as Envelope) : null;
  } catch {
    return null;
  }
}
