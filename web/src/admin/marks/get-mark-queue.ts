import type { AttendanceSheet, Picks } from '@classledger/contract';
import type { QueryClient } from '@tanstack/react-query';
import { call, newIdempotencyKey } from '../../api/call.ts';
import { connection } from '../../api/connection.ts';
import { keyOf } from '../../api/queries.ts';
import { sessionState } from '../../api/session-state.ts';
import { invalidateStaleReads } from '../../api/stale-reads.ts';
import type { Attempt } from '../taps/attempt.ts';
import { failedAttempt } from '../taps/get-scoring-queue.ts';
import type { Mark } from './mark.ts';
import { MarkQueue } from './mark-queue.ts';
import { marksPrefix } from './mark-store.ts';
import { runExclusively } from './run-exclusively.ts';

const requestTimeoutMs = 20_000;
const queues = new Map<number, MarkQueue>();

/** Returns an administrator's queue. The app has one, so it goes on sending after the person leaves the page. */
export function getMarkQueue(client: QueryClient, adminId: number): MarkQueue {
  const queue = queues.get(adminId) ?? openQueue(client, adminId);
  queues.set(adminId, queue);
  return queue;
}

function openQueue(client: QueryClient, adminId: number): MarkQueue {
  const queue = new MarkQueue({
    adminId,
    storage: localStorage,
    send: (mark) =>
      send(mark).then((answer): Attempt<unknown> => ({ outcome: 'answered', answer }), failedAttempt),
    onAnswered: (mark, answer) => {
      cacheAnswer(client, mark, answer);
      void invalidateStaleReads(client, [mark.operation]);
    },
    onDropped: ({ operation }) => void invalidateStaleReads(client, [operation]),
    // Without locks two tabs may send the same mark; the server counts it once.
    runExclusively: (work) =>
      runExclusively(navigator.locks as LockManager | undefined, `${marksPrefix}${adminId}`, work),
    now: Date.now,
    schedule: (run, delayMs) => void setTimeout(run, delayMs),
    newKey: newIdempotencyKey,
  });
  window.addEventListener('online', () => queue.retryNow());
  window.addEventListener('storage', ({ key, oldValue, newValue }) => {
    if (key === null || key.startsWith(marksPrefix)) queue.handleStorageEvent(key, oldValue, newValue);
  });
  connection.subscribe(() => {
    if (connection.get()) queue.resumeSending();
  });
  sessionState.subscribe(() => {
    if (sessionState.get() === 'signed in') queue.retryNow();
  });
  window.addEventListener('beforeunload', (event) => {
    // The sign-out has already asked.
    if (queue.wouldLoseMarks && sessionState.get() !== 'signed out') event.preventDefault();
  });
  return queue;
}

async function send({ operation, body, key }: Mark): Promise<unknown> {
  const options = { idempotencyKey: key, signal: AbortSignal.timeout(requestTimeoutMs), inBackground: true };
  return operation === 'markAttendance'
    ? call('markAttendance', { body, ...options })
    : call('markPicks', { body, ...options });
}

/** Puts an answer into the cache. Cancels fetches under way, because their data may lack the mark. */
function cacheAnswer(client: QueryClient, { operation, body }: Mark, answer: unknown): void {
  const { schoolDb, classId } = body;
  const replaceCached = (key: readonly unknown[], data: unknown) => {
    void client.cancelQueries({ queryKey: key, exact: true });
    client.setQueryData(key, data);
  };
  if (operation === 'markPicks') {
    replaceCached(keyOf('getPicks', { query: { schoolDb, classId } }), answer as Picks);
    return;
  }
  const sheet = answer as AttendanceSheet;
  replaceCached(keyOf('getAttendance', { query: { schoolDb, classId, day: sheet.day } }), sheet);
  if (sheet.day === sheet.today)
    replaceCached(keyOf('getAttendance', { query: { schoolDb, classId } }), sheet);
}
