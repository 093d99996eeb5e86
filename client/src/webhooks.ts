import type { WebhookDelivery } from './generated/types.ts';

/** What a webhook tells: `type` says what happened, and `data` is an entry of the feed of changes or, of a test call, the webhook. */
export type WebhookMessage = WebhookDelivery & {
  /** The same for every delivery of one message: remember it, and a repeated one is known. */
  readonly id: string;
};

/** Headers of a request, as fetch, Node.js, Express and Fastify have them. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface WebhookOptions {
  /** How far the time of a delivery may lie from `now`, before and behind; 300 unless given. */
  readonly toleranceSeconds?: number | undefined;
  /** The current time in milliseconds since 1970; for tests. */
  readonly now?: number | undefined;
}

/** Why a request is no delivery of the webhook. */
export type WebhookRefusal =
  /** One of `webhook-id`, `webhook-timestamp` and `webhook-signature` is missing. */
  | 'missingHeader'
  /** It was sent too long ago, or the clocks differ: somebody may repeat what was sent before. */
  | 'wrongTime'
  /** Another secret signed it, or it was changed on its way. */
  | 'wrongSignature'
  /** It is signed, and no message that this version of the client can read. */
  | 'unreadable';

/** A request that is no delivery of the webhook: answer 400 and do nothing. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  readonly reason: WebhookRefusal;

  constructor(reason: WebhookRefusal, message: string) {
    super(message);
    this.reason = reason;
  }
}

/**
 * Checks that a request is a delivery of your webhook, sent just now, and answers its message. Follows Standard Webhooks. Any one of
 * several signatures suffices, as the server signs with both secrets while a new one replaces the old.
 *
 * @param body exactly as it was received; JSON that was parsed and written again has another signature
 * @param secret `whsec_...`, as it was shown when the webhook was made
 * @throws WebhookVerificationError when it is none
 * @throws TypeError when the secret can be none
 */
export async function verifyWebhook(
  body: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: string,
  { toleranceSeconds = 300, now = Date.now() }: WebhookOptions = {},
): Promise<WebhookMessage> {
  const key = await keyOf(secret);
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature');
  const bytes = typeof body === 'string' ? encoder.encode(body) : new Uint8Array(body);
  if (!(await isSigned(key, joined(encoder.encode(`${id}.${timestamp}.`), bytes), signatures))) {
    throw new WebhookVerificationError(
      'wrongSignature',
      'No signature of the webhook is of this secret and body',
    );
  }
  // Only a signed time means anything.
  const secondsAway = Math.abs(now / 1_000 - Number(timestamp));
  if (!/^\d{1,12}$/.test(timestamp) || secondsAway > toleranceSeconds) {
    const away = `${Math.round(secondsAway)} seconds away, and ${toleranceSeconds} are allowed`;
    throw new WebhookVerificationError('wrongTime', `The time of the webhook, ${timestamp}, is ${away}`);
  }
  return messageIn(bytes, id);
}

const encoder = new TextEncoder();

async function keyOf(secret: string): Promise<CryptoKey> {
  const text = String(secret).replace(/^whsec_/, '');
  const bytes = bytesOf(text);
  // An undefined secret must never be a key that everybody knows.
  if (!secret?.startsWith('whsec_') || !bytes?.length)
    throw new TypeError('The secret of the webhook is missing, or is none: it begins with whsec_');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : inRecord(headers, name);
  const text = Array.isArray(value) ? value.join(' ') : (value as string | null | undefined);
  if (!text) throw new WebhookVerificationError('missingHeader', `The request has no header ${name}`);
  return text;
}

const inRecord = (headers: Exclude<WebhookHeaders, Headers>, name: string) =>
  Object.entries(headers).find(([one]) => one.toLowerCase() === name)?.[1];

/** `crypto.subtle.verify` compares in a time that does not depend on where signatures differ. */
async function isSigned(
  key: CryptoKey,
  content: Uint8Array<ArrayBuffer>,
  signatures: string,
): Promise<boolean> {
  for (const [, signature = ''] of signatures.matchAll(/(?:^|[\s,])v1,([\w+/=]+)/g)) {
    const bytes = bytesOf(signature);
    if (bytes && (await crypto.subtle.verify('HMAC', key, bytes, content))) return true;
  }
  return false;
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}

function messageIn(bytes: Uint8Array, id: string): WebhookMessage {
  try {
    const { type, timestamp, data } = JSON.parse(new TextDecoder().decode(bytes));
    if (typeof type === 'string' && typeof timestamp === 'string')
      return { id, type, timestamp, data } as WebhookMessage;
  } catch {
    // Said below.
  }
  throw new WebhookVerificationError('unreadable', 'The body of the webhook is no message');
}
