import { randomBytes } from 'node:crypto';
import type { FastifyRequest } from 'fastify';

/** Where a request stands in a trace that goes across systems (W3C Trace Context). */
export interface Trace {
  readonly traceId: string;
  /** Of what is done here. */
  readonly spanId: string;
  /** Two hexadecimal digits: whether whoever called keeps the trace. */
  readonly flags: string;
}

const traces = new WeakMap<FastifyRequest, Trace>();

/**
 * The trace that a request belongs to, as its `traceparent` says; null where none was sent, or one that is not valid.
 * What is done here is a span of its own.
 */
export function traceOf(request: FastifyRequest): Trace | null {
  const known = traces.get(request);
  if (known) return known;
  const parent = parseTraceparent(request.headers.traceparent);
  if (!parent) return null;
  const trace = { ...parent, spanId: randomBytes(8).toString('hex') };
  traces.set(request, trace);
  return trace;
}

/** Someone else has begun the span of a request. */
export function setTrace(request: FastifyRequest, trace: Trace): void {
  traces.set(request, trace);
}

/** What a trace is called in a header. */
export const traceHeader = ({ traceId, spanId, flags }: Trace) => `00-${traceId}-${spanId}-${flags}`;

/** By what a line of the log names the request that it is about; traces by the names that OpenTelemetry gives them. */
export interface RequestNames {
  readonly requestId: string;
  readonly trace_id?: string;
  readonly span_id?: string;
}

export function namesOf(request: FastifyRequest): RequestNames {
  const trace = traceOf(request);
  const requestId = request.id;
  return trace ? { requestId, trace_id: trace.traceId, span_id: trace.spanId } : { requestId };
}

/** Versions to come may add to the four parts of version 00. */
const form = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-([0-9a-f]{2})(-.*)?$/;

function parseTraceparent(header: string | string[] | undefined): Omit<Trace, 'spanId'> | null {
  if (typeof header !== 'string') return null;
  const [, version, traceId, flags, more] = form.exec(header) ?? [];
  if (traceId === undefined || flags === undefined || (version === '00' && more !== undefined)) return null;
  return { traceId, flags };
}
