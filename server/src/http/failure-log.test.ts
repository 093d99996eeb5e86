import type { FastifyBaseLogger } from 'fastify';
import { expect, it, onTestFinished, vi } from 'vitest';
import { DatabaseLostError } from '../database/transient-errors.ts';
import { FailureLog } from './failure-log.ts';

const unreachable = new DatabaseLostError(new Error('connect ECONNREFUSED'));

function openLog() {
  const lines: unknown[][] = [];
  const log = { error: (...line: unknown[]) => lines.push(line) } as Partial<FastifyBaseLogger>;
  return { failures: new FailureLog(log as FastifyBaseLogger, () => {}), lines };
}

it('a transient database error is logged once, and then its repeats each minute until a minute has none', () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { failures, lines } = openLog();
  for (let n = 0; n < 4; n++) failures.report(unreachable, 'reading');
  expect(lines).toEqual([
    [{ first: 'reading', reason: 'connect ECONNREFUSED' }, expect.stringContaining('unreachable')],
  ]);
  vi.advanceTimersByTime(60_000);
  expect(lines.slice(1)).toEqual([[{ repeats: 3 }, expect.stringContaining('unreachable')]]);
  vi.advanceTimersByTime(120_000);
  expect(lines).toHaveLength(2);
  failures.report(unreachable, 'reading again');
  expect(lines[2]).toMatchObject([{ first: 'reading again' }, expect.any(String)]);
});

it('after a stop has cut requests off, their failures are not logged, but other failures are', () => {
  const { failures, lines } = openLog();
  const error = new Error('broken');
  failures.reportRequest(error, { requestId: '1' });
  failures.muteRequests();
  failures.reportRequest(error, { requestId: '2' });
  failures.report(error, 'housekeeping failed');
  expect(lines).toEqual([
    [{ err: error, requestId: '1' }, 'internal error'],
    [{ err: error }, 'housekeeping failed'],
  ]);
});
