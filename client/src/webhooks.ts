import type { WebhookDelivery } from './generated/types.ts';

/** A verified delivery. `data` is a change, or in a test delivery names the webhook. */
export type WebhookMessage = WebhookDelivery & {
  /** Equal for all deliveries of a message: store it to detect repeats. */
  readonly id: string;
};

export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface WebhookOptions {
  /** Allowed difference between the time of a delivery and `now`, in both directions; 300 by default. */
  readonly toleranceSeconds?: number | undefined;
  readonly now?: number | undefined;
}

export type WebhookRefusal =
  /** One of `webhook-id`, `webhook-timestamp` and `webhook-signature` is missing. */
  | 'missingHeader'
  /** The delivery is too old, or the clocks differ. An attacker may replay an old delivery. */
  | 'wrongTime'
  | 'wrongSignature'
  /** The signature is valid, but this version of the client cannot read the message. */
  | 'unreadable';

/** The request is not a valid delivery of the webhook: answer 400 and do nothing. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  readonly reason: WebhookRefusal;

  constructor(reason: WebhookRefusal, message: string) {
    super(message);
    this.reason = reason;
  }
}

/**
 * Returns the message of a genuine, recent delivery (Standard Webhooks). One valid signature of several suffices.
 * @param body exactly as received; parsing and writing JSON again breaks the signature
 * @throws WebhookVerificationError for an invalid delivery @throws TypeError for a malformed secret
 */
export async function verifyWebhook(
  body: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: string,
  { toleranceSeconds = 300, now = Date.now() }: WebhookOptions = {},
): Promise<WebhookMessage> {
  const key = await importKey(secret);
  const id = readHeader(headers, 'webhook-id');
  const timestamp = readHeader(headers, 'webhook-timestamp');
  const signatures = readHeader(headers, 'webhook-signature');
  const bytes = typeof body === 'string' ? encoder.encode(body) : new Uint8Array(body);
  const signed = Uint8Array.from([...encoder.encode(`${id}.${timestamp}.`), ...bytes]);
  if (!(await hasValidSignature(key, signed, signatures))) {
    throw new WebhookVerificationError(
      'wrongSignature',
      'No signature of the webhook matches this secret and body',
    );
  }
  // Checks the time after the signature, because an unsigned time proves nothing.
  const secondsAway = Math.abs(now / 1_000 - Number(timestamp));
  if (!/^\d{1,12}$/.test(timestamp) || secondsAway > toleranceSeconds) {
    const away = `${Math.round(secondsAway)} seconds away, and ${toleranceSeconds} are allowed`;
    throw new WebhookVerificationError('wrongTime', `The time of the webhook, ${timestamp}, is ${away}`);
  }
  return parseMessage(bytes, id);
}

const encoder = new TextEncoder();

async function importKey(secret: string): Promise<CryptoKey> {
  const text = String(secret).replace(/^whsec_/, '');
  const bytes = decodeBase64(text);
  // Rejects a missing secret, which would become a publicly known key.
  if (!secret?.startsWith('whsec_') || !bytes?.length)
    throw new TypeError('The secret of the webhook is missing or malformed: it begins with whsec_');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

function readHeader(headers: WebhookHeaders, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : findInRecord(headers, name);
  const text = Array.isArray(value) ? value.join(' ') : (value as string | null | undefined);
  if (!text) throw new WebhookVerificationError('missingHeader', `The request has no header ${name}`);
  return text;
}

const findInRecord = (headers: Exclude<WebhookHeaders, Headers>, name: string) =>
  Object.entries(headers).find(([one]) => one.toLowerCase() === name)?.[1];

/** Verifies with `crypto.subtle.verify`, which compares in constant time. */
async function hasValidSignature(
  key: CryptoKey,
  content: Uint8Array<ArrayBuffer>,
  signatures: string,
): Promise<boolean> {
  for (const [, signature = ''] of signatures.matchAll(/(?:^|[\s,])v1,([\w+/=]+)/g)) {
    const bytes = decodeBase64(signature);
    if (bytes && (await crypto.subtle.verify('HMAC', key, bytes, content))) return true;
  }
  return false;
}

function decodeBase64(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function parseMessage(bytes: Uint8Array, id: string): WebhookMessage {
  try {
    const { type, timestamp, data } = JSON.parse(new TextDecoder().decode(bytes));
    if (typeof type === 'string' && typeof timestamp === 'string')
      return { id, type, timestamp, data } as WebhookMessage;
  } catch {
    // The error below reports the unreadable message.
  }
  throw new WebhookVerificationError('unreadable', 'The body of the webhook is not a message');
}
