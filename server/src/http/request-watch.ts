import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import { type TransientErrorKind, transientErrorKind } from '../database/transient-errors.ts';
import { AppError } from '../errors/app-error.ts';
import type { ApiName, Metrics, RefusalKind } from '../telemetry/metrics.ts';
import { requestLogFields } from '../telemetry/trace-context.ts';
import type { MonotonicClock } from '../time/clock.ts';
import { isRefused } from './load.ts';

const slowMs = 2_000;
const slowLinesMax = 20;
const minuteMs = 60_000;

const refusalKinds: Readonly<Record<TransientErrorKind, RefusalKind>> = {
  unreachable: 'database_away',
  unwritable: 'database_unwritable',
  busy: 'database_busy',
  locked: 'row_locked',
  'too slow': 'too_slow',
};

/** Counts answers in the metrics, if they are on, and logs slow requests. */
export class RequestWatch {
  readonly #log: Pick<FastifyBaseLogger, 'warn'>;
  readonly #metrics: Metrics | null;
  readonly #monotonic: MonotonicClock;
  #minute = { startedAt: Number.NEGATIVE_INFINITY, lines: 0 };

  constructor(log: Pick<FastifyBaseLogger, 'warn'>, metrics: Metrics | null, monotonic: MonotonicClock) {
    this.#log = log;
    this.#metrics = metrics;
    this.#monotonic = monotonic;
  }

  /** @param code the error code at the external API, otherwise the HTTP status */
  recordAnswer(
    request: FastifyRequest,
    api: ApiName,
    operation: string,
    code: number,
    startedAt: number,
  ): void {
    const milliseconds = performance.now() - startedAt;
    this.#metrics?.recordAnswer(api, operation, code, milliseconds);
    if (milliseconds >= slowMs)
      this.#logSlow({ ...requestLogFields(request), door: api, operation, code }, milliseconds);
  }

  recordRefusal(request: FastifyRequest, api: ApiName, error: unknown): void {
    const kind = this.#metrics && refusalOf(request, api, error);
    if (kind) this.#metrics?.recordRefusal(api, kind);
  }

  #logSlow(about: object, milliseconds: number): void {
    this.#metrics?.recordSlowRequest();
    const now = this.#monotonic();
    if (now - this.#minute.startedAt >= minuteMs) {
      this.#minute = { startedAt: now, lines: 0 };
    }
    if (this.#minute.lines++ >= slowLinesMax) return;
    this.#log.warn({ event: 'slowRequest', ...about, ms: Math.round(milliseconds) }, 'request');
  }
}

/** @returns null for errors other than limits and transient database errors */
function refusalOf(request: FastifyRequest, api: ApiName, error: unknown): RefusalKind | null {
  if (isRefused(request.raw)) return 'server_full';
  if (error instanceof AppError) {
    if (error.kind === 'rate_limited')
      return api === 'external' || api === 'rosters' ? 'rate_limit' : 'throttle';
    return error.kind === 'unavailable' ? 'queue_full' : null;
  }
  const kind = transientErrorKind(error);
  return kind && refusalKinds[kind];
}
