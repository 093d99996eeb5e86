import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import type { Counters } from '../access/counters.ts';
import type { AdminSessions } from '../access/sessions.ts';
import type { StudentSessions } from '../access/student-sessions.ts';
import type { Database } from '../database/connect.ts';
import { type HousekeepingTask, type RetentionRules, retentionTasks } from '../database/retention.ts';
import { eraseAllLeavers } from '../features/personal-data/erase-students.ts';
import type { FailureLog } from '../http/failure-log.ts';
import type { RateLimiter } from '../http/rate-limit.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { Clock } from '../time/clock.ts';

export interface HousekeepingOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly databaseClock: Clock | null;
  readonly rules: RetentionRules;
  readonly sessions: AdminSessions;
  readonly studentSessions: StudentSessions;
  readonly limiter: RateLimiter;
  readonly counters: Counters;
  readonly metrics: Metrics | null;
  readonly failures: FailureLog;
  readonly log: FastifyBaseLogger;
  /** Ends a round after the current chore. */
  readonly stop: AbortSignal;
}

const everyMs = 3_600_000;

export class Housekeeping {
  readonly #options: HousekeepingOptions;
  #timer: NodeJS.Timeout | undefined;
  #rounds: Promise<unknown> = Promise.resolve();

  constructor(options: HousekeepingOptions) {
    this.#options = options;
  }

  start(): void {
    const round = () => void this.run().catch(() => {});
    this.#timer = setInterval(round, everyMs).unref();
    round();
  }

  /** Runs all chores, and reports failed ones. @throws after the last chore, if one failed */
  run(): Promise<void> {
    const round = this.#removeAll();
    void this.#options.metrics?.recordHousekeeping(round);
    this.#rounds = Promise.allSettled([this.#rounds, round]);
    return round;
  }

  async end(): Promise<void> {
    clearInterval(this.#timer);
    await this.#rounds;
  }

  async #removeAll(): Promise<void> {
    const { failures, stop } = this.#options;
    const failed: unknown[] = [];
    const attempt = async (table: string, run: () => Promise<unknown>) => {
      try {
        await run();
      } catch (error) {
        failures.report(error, 'housekeeping failed', { of: table });
        failed.push(error);
      }
    };
    await attempt('clock', async () => {
      const now = await this.#now();
      for (const { table, run } of this.#chores()) {
        if (!stop.aborted) await attempt(table, () => run(now, stop));
      }
    });
    if (failed.length > 0) throw new AggregateError(failed, 'housekeeping failed');
  }

  #chores(): HousekeepingTask[] {
    const { db, rules, sessions, studentSessions, limiter, counters, log } = this.#options;
    const eraseLeavers = async (now: Date, stop: AbortSignal) => {
      const students = await eraseAllLeavers(db, now, stop);
      if (students > 0) log.info({ students }, 'erased students who left');
    };
    return [
      ...retentionTasks(db, rules),
      { table: 'admin_session', run: () => sessions.removeEnded() },
      { table: 'student_session', run: (_, stop) => studentSessions.removeEnded(stop) },
      { table: 'rate_limit_window', run: () => limiter.removeEndedWindows() },
      { table: 'counted_event', run: (_, stop) => counters.removeExpired(stop) },
      { table: 'student', run: eraseLeavers },
    ];
  }

  /** Returns the earlier time of this machine and the database, so that a fast clock deletes nothing early. */
  async #now(): Promise<Date> {
    const { db, clock, databaseClock } = this.#options;
    const { rows } = await sql<{ at: string }>`
      SELECT coalesce(${databaseClock?.().toISOString() ?? null}::timestamptz, clock_timestamp()) AS at`.execute(
      db,
    );
    return new Date(Math.min(clock().getTime(), Date.parse((rows[0] as (typeof rows)[0]).at)));
  }
}
