import { randomBytes } from 'node:crypto';
import type { FastifyRequest } from 'fastify';

/** The position of a request in a distributed trace (W3C Trace Context). */
export interface Trace {
  readonly traceId: string;
  readonly spanId: string;
  /** Two hexadecimal digits; say whether the caller records the trace. */
  readonly flags: string;
}

const traces = new WeakMap<FastifyRequest, Trace>();

/** Returns a request's trace with a new span for this server; null without a valid `traceparent`. */
export function traceOf(request: FastifyRequest): Trace | null {
  const known = traces.get(request);
  if (known) return known;
  const parent = parseTraceparent(request.headers.traceparent);
  if (!parent) return null;
  const trace = { ...parent, spanId: randomBytes(8).toString('hex') };
  traces.set(request, trace);
  return trace;
}

/** Stores the span that OpenTelemetry has started for a request. */
export function setTrace(request: FastifyRequest, trace: Trace): void {
  traces.set(request, trace);
}

export const traceHeader = ({ traceId, spanId, flags }: Trace) => `00-${traceId}-${spanId}-${flags}`;

export function requestLogFields(request: FastifyRequest): object {
  const trace = traceOf(request);
  const requestId = request.id;
  return trace ? { requestId, trace_id: trace.traceId, span_id: trace.spanId } : { requestId };
}

/** Later versions may append fields to the four of version 00. */
const traceparentPattern =
  /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-([0-9a-f]{2})(-.*)?$/;

function parseTraceparent(header: string | string[] | undefined): Omit<Trace, 'spanId'> | null {
  if (typeof header !== 'string') return null;
  const [, version, traceId, flags, more] = traceparentPattern.exec(header) ?? [];
  if (traceId === undefined || flags === undefined || (version === '00' && more !== undefined)) return null;
  return { traceId, flags };
}
