import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import type { HostileRequest, HostileRequests } from './hostile-requests.ts';

const workers = 16;
const answerWithinMs = 15_000;
const complaintsMax = 20;
const uuidV4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** An answer in the envelope of its API; `fields` are the names of its fields, sorted. */
export interface HostileAnswer {
  readonly status: number;
  readonly fields: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * Sends hostile requests, several at a time. Each answer must come soon, must be no 5xx, and must be JSON with its
 * request id.
 * @param judge returns a complaint about an answer of this API, or null
 * @returns complaints with their requests; ends early after many complaints
 */
export async function findComplaints(
  http: FastifyInstance,
  hostile: HostileRequests,
  requests: number,
  judge: (answer: HostileAnswer) => string | null,
): Promise<string[]> {
  const complaints: string[] = [];
  let left = requests;
  await Promise.all(
    Array.from({ length: workers }, async () => {
      while (left-- > 0 && complaints.length < complaintsMax) {
        const request = hostile.next();
        const wrong = await complaint(http, request, judge).catch((error: Error) => error.message);
        if (wrong !== null) complaints.push(`${wrong}: ${shown(request)}`);
      }
    }),
  );
  return complaints;
}

async function complaint(
  http: FastifyInstance,
  request: HostileRequest,
  judge: (answer: HostileAnswer) => string | null,
): Promise<string | null> {
  const response = await bounded(http.inject(request as InjectOptions));
  const requestId = response.headers['x-request-id'];
  if (typeof requestId !== 'string' || !uuidV4.test(requestId)) return `request id ${requestId}`;
  if (response.statusCode >= 500) return `status ${response.statusCode}`;
  if (request.method === 'HEAD') return response.body === '' ? null : 'a body on HEAD';
  let body: Record<string, unknown>;
  try {
    body = JSON.parse(textOf(response));
  } catch {
    return `no JSON: ${response.body.slice(0, 200)}`;
  }
  if (body.requestId !== requestId) return 'requestId differs from X-Request-Id';
  if (typeof body.message !== 'string' || body.message === '') return 'no message';
  return judge({ status: response.statusCode, fields: Object.keys(body).sort().join(), body });
}

function textOf({ headers, rawPayload }: LightMyRequestResponse): string {
  const encoding = headers['content-encoding'];
  if (encoding === 'br') return brotliDecompressSync(rawPayload).toString();
  return (encoding === 'gzip' ? gunzipSync(rawPayload) : rawPayload).toString();
}

async function bounded<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer within ${answerWithinMs} ms`)), answerWithinMs);
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}

function shown({ method, url, headers, payload }: HostileRequest): string {
  const body =
    typeof payload === 'string' ? JSON.stringify(payload.slice(0, 1_000)) : payload?.toString('hex');
  return `${method} ${url.slice(0, 500)} ${JSON.stringify(headers).slice(0, 500)} ${body ?? ''}`;
}
