const answerBytesMax = 262_144;
/** A provider has so long for one answer. */
export const answerSeconds = 5;

const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Whether the server may call an address: with https, or, where that is allowed for trying out, with http on this
 * machine itself.
 */
export function mayCall(address: string, httpOnLoopback: boolean): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname, username, password } = new URL(address);
  if (username !== '' || password !== '') return false;
  return protocol === 'https:' || (httpOnLoopback && protocol === 'http:' && loopback.has(hostname));
}

/** Something that the server must not call, or an answer that it does not read. */
export class RefusedFetch extends Error {}

/**
 * Calls a provider: only addresses that may be called, no further than the first answer (a redirect is none), for a
 * limited time and up to a limited size. What a provider says about itself names further addresses, and whoever set it up
 * may have been deceived: this is what keeps the server from being sent around (docs/security.md).
 */
export function guardedFetch(httpOnLoopback: boolean) {
  return async (address: string, options: RequestInit): Promise<Response> => {
    if (!mayCall(address, httpOnLoopback)) throw new RefusedFetch('an address that is not called');
    const signal = AbortSignal.timeout(answerSeconds * 1_000);
    const response = await fetch(address, { ...options, redirect: 'manual', signal });
    const body = await readBounded(response);
    const { status, headers } = response;
    if (status < 200 || status > 599) throw new RefusedFetch('an answer without a status');
    return new Response(body.length === 0 ? null : new Uint8Array(body), { status, headers });
  };
}

async function readBounded(response: Response): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of response.body ?? []) {
    length += part.byteLength;
    if (length > answerBytesMax) throw new RefusedFetch('an answer that is too large');
    parts.push(part);
  }
  return Buffer.concat(parts);
}
