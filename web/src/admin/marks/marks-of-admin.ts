import type { AttendanceSheet, Picks } from '@classledger/contract';
import type { QueryClient } from '@tanstack/react-query';
import { call, newIdempotencyKey } from '../../api/call.ts';
import { connection } from '../../api/connection.ts';
import { outdate } from '../../api/outdated.ts';
import { keyOf } from '../../api/queries.ts';
import { sessionState } from '../../api/session-state.ts';
import type { Attempt } from '../taps/attempt.ts';
import { outcomeOf } from '../taps/queue-of-admin.ts';
import { inTurn } from './in-turn.ts';
import type { Mark } from './mark.ts';
import { MarkQueue } from './mark-queue.ts';
import { marksPrefix } from './mark-store.ts';

const answerWithinMs = 20_000;
const queues = new Map<number, MarkQueue>();

/** Returns an administrator's queue. The app has one, so it goes on sending after the person leaves the page. */
export function marksOfAdmin(client: QueryClient, adminId: number): MarkQueue {
  const queue = queues.get(adminId) ?? openQueue(client, adminId);
  queues.set(adminId, queue);
  return queue;
}

function openQueue(client: QueryClient, adminId: number): MarkQueue {
  const queue = new MarkQueue({
    adminId,
    place: localStorage,
    send: (mark) =>
      send(mark).then((answer): Attempt<unknown> => ({ outcome: 'answered', answer }), outcomeOf),
    done: (mark, answer) => {
      keepAnswer(client, mark, answer);
      void outdate(client, [mark.operation]);
    },
    gone: ({ operation }) => void outdate(client, [operation]),
    // Without locks two tabs may send the same mark; the server counts it once.
    alone: (work) => inTurn(navigator.locks as LockManager | undefined, `${marksPrefix}${adminId}`, work),
    now: Date.now,
    later: (run, delayMs) => void setTimeout(run, delayMs),
    newKey: newIdempotencyKey,
  });
  window.addEventListener('online', () => queue.retryNow());
  window.addEventListener('storage', ({ key, oldValue, newValue }) => {
    if (key === null || key.startsWith(marksPrefix)) queue.otherChanged(key, oldValue, newValue);
  });
  connection.subscribe(() => {
    if (connection.get()) queue.connected();
  });
  sessionState.subscribe(() => {
    if (sessionState.get() === 'signed in') queue.retryNow();
  });
  window.addEventListener('beforeunload', (event) => {
    // The sign-out has already asked.
    if (queue.wouldBeForgotten && sessionState.get() !== 'signed out') event.preventDefault();
  });
  return queue;
}

async function send({ operation, body, key }: Mark): Promise<unknown> {
  const how = { idempotencyKey: key, signal: AbortSignal.timeout(answerWithinMs), inBackground: true };
  return operation === 'markAttendance'
    ? call('markAttendance', { body, ...how })
    : call('markPicks', { body, ...how });
}

/** Puts an answer into the cache. Cancels fetches under way, because their data may lack the mark. */
function keepAnswer(client: QueryClient, { operation, body }: Mark, answer: unknown): void {
  const { schoolDb, classId } = body;
  const keep = (key: readonly unknown[], data: unknown) => {
    void client.cancelQueries({ queryKey: key, exact: true });
    client.setQueryData(key, data);
  };
  if (operation === 'markPicks') {
    keep(keyOf('getPicks', { query: { schoolDb, classId } }), answer as Picks);
    return;
  }
  const sheet = answer as AttendanceSheet;
  keep(keyOf('getAttendance', { query: { schoolDb, classId, day: sheet.day } }), sheet);
  if (sheet.day === sheet.today) keep(keyOf('getAttendance', { query: { schoolDb, classId } }), sheet);
}
