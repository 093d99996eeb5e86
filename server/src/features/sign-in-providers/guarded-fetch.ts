const answerBytesMax = 262_144;
export const answerSeconds = 5;

const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Returns true for addresses that the server can call: https, or for trials http on this machine. */
export function isAllowedAddress(address: string, httpOnLoopback: boolean): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname, username, password } = new URL(address);
  if (username !== '' || password !== '') return false;
  return protocol === 'https:' || (httpOnLoopback && protocol === 'http:' && loopback.has(hostname));
}

export class RefusedFetchError extends Error {}

/** Returns a `fetch` with limits, because a provider may be malicious (docs/security.md). */
export function guardedFetch(httpOnLoopback: boolean) {
  return async (address: string, options: RequestInit): Promise<Response> => {
    if (!isAllowedAddress(address, httpOnLoopback)) throw new RefusedFetchError('a forbidden address');
    const signal = AbortSignal.timeout(answerSeconds * 1_000);
    const response = await fetch(address, { ...options, redirect: 'manual', signal });
    const body = await readBounded(response);
    const { status, headers } = response;
    if (status < 200 || status > 599) throw new RefusedFetchError('an answer without a status');
    return new Response(body.length === 0 ? null : new Uint8Array(body), { status, headers });
  };
}

async function readBounded(response: Response): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of response.body ?? []) {
    length += part.byteLength;
    if (length > answerBytesMax) throw new RefusedFetchError('an answer that is too large');
    parts.push(part);
  }
  return Buffer.concat(parts);
}
