import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { AccessChangeListener } from '../access/access-change-listener.ts';
import type { AccountEvents } from '../access/account-events.ts';
import type { UseCounts } from '../access/use-counts.ts';
import { delayedAbort, untilAborted } from '../concurrency/until-aborted.ts';
import type { LeasedWork } from '../database/leased-work.ts';
import type { ActiveRequests } from '../http/api.ts';
import type { AuditLog } from '../http/audit-log.ts';
import type { Connections } from '../http/connections.ts';
import type { FailureLog } from '../http/failure-log.ts';
import type { RateLimiter } from '../http/rate-limit.ts';
import type { Housekeeping } from './housekeeping.ts';

export interface CloseOptions {
  /** How long new connections are still served. Default: 0. */
  readonly drainSeconds?: number;
  /** How long open connections stay while other workers take new ones; `/readyz` still says ready. Default: 0. */
  readonly retireMs?: number;
  /** Aborts active work when time is up. Without this signal, closing waits until the work is done. */
  readonly cut?: AbortSignal;
}

export interface ClosingServices {
  readonly http: FastifyInstance;
  readonly connections: Connections;
  readonly housekeeping: Housekeeping;
  readonly webhooks: { end(cut: AbortSignal): Promise<void> };
  readonly imports: LeasedWork;
  readonly activeRequests: ActiveRequests;
  readonly failures: FailureLog;
  readonly events: AccountEvents;
  readonly limiter: RateLimiter;
  readonly audit: AuditLog;
  readonly uses: UseCounts;
  readonly listener: AccessChangeListener;
}

/** How often connections without a request are closed. A request that is arriving has about this time. */
const arrivalMs = 1_000;
/** Time for the last background writes after `cut`. */
const lastWritesMs = 3_000;

/** Closes each part after the parts that use it; background writes end last (docs/contract.md, Stopping). */
export async function closeInOrder(
  services: ClosingServices,
  { drainSeconds = 0, retireMs = 0, cut = new AbortController().signal }: CloseOptions,
): Promise<void> {
  const { http, connections, housekeeping, webhooks, imports, activeRequests, failures, events } = services;
  const { limiter, audit, uses, listener } = services;
  const isLeaving = retireMs > 0;
  if (isLeaving) connections.keepIdle();
  const swept = Promise.all([housekeeping.end(), webhooks.end(cut), imports.end()]);
  await pause(drainSeconds * 1_000, undefined, { signal: cut }).catch(() => {});
  const closed = http.close();
  if (isLeaving) {
    await Promise.race([closed, pause(retireMs, undefined, { signal: cut }).catch(() => {})]);
    connections.closeWithoutRequest();
  }
  const arrival = setInterval(() => connections.closeWithoutRequest(), arrivalMs);
  try {
    // Also waits for requests whose clients have disconnected, because these must finish and be audited.
    await untilAborted(
      cut,
      Promise.all([closed, activeRequests.waitUntilIdle().then(() => events.flush()), swept]),
    );
  } catch (error) {
    if (!cut.aborted) throw error;
    http.log.warn({ requests: activeRequests.count, connections: connections.open }, 'cut off by the stop');
    failures.muteRequests();
    connections.closeAll();
    activeRequests.cutOffAll();
  } finally {
    clearInterval(arrival);
  }
  const giveUp = delayedAbort(cut, lastWritesMs);
  // Ignores a failure, because the other processes can go on with their shares of the rate limits.
  const givenBack = limiter.returnShares().catch(() => {});
  const written = Promise.all([audit.close(giveUp), uses.close(giveUp), givenBack]);
  const ended = written.then(() => Promise.all([closed, listener.close()]));
  await untilAborted(giveUp, ended).catch((error: unknown) => {
    if (!giveUp.aborted) throw error;
  });
}
