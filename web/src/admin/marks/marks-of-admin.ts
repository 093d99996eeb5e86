import type { AttendanceSheet, Picks } from '@classledger/contract';
import type { QueryClient } from '@tanstack/react-query';
import { call, newIdempotencyKey } from '../../api/call.ts';
import { connection } from '../../api/connection.ts';
import { outdate } from '../../api/outdated.ts';
import { keyOf } from '../../api/queries.ts';
import { sessionState } from '../../api/session-state.ts';
import type { Attempt } from '../taps/attempt.ts';
import { outcomeOf } from '../taps/queue-of-admin.ts';
import { type Mark, MarkQueue, marksPrefix } from './mark-queue.ts';

const answerWithinMs = 20_000;
const queues = new Map<number, MarkQueue>();

/** What an administrator has said of classes, for the whole app: it goes on being sent after the page was left. */
export function marksOfAdmin(client: QueryClient, adminId: number): MarkQueue {
  const queue = queues.get(adminId) ?? openQueue(client, adminId);
  queues.set(adminId, queue);
  return queue;
}

const listeners = new Set<(error: unknown) => void>();

/** Hears why the server has refused a mark, which is gone then. */
export function watchRefusals(listener: (error: unknown) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function openQueue(client: QueryClient, adminId: number): MarkQueue {
  const errors = new WeakMap<Mark, unknown>();
  const queue = new MarkQueue({
    adminId,
    place: localStorage,
    send: (mark) =>
      send(mark).then(
        (answer): Attempt<unknown> => ({ outcome: 'answered', answer }),
        (error) => {
          errors.set(mark, error);
          return outcomeOf(error);
        },
      ),
    done: (mark, answer) => {
      keepAnswer(client, mark, answer);
      void outdate(client, [mark.operation]);
    },
    refused: (mark) => {
      for (const listener of listeners) listener(errors.get(mark));
      void outdate(client, [mark.operation]);
    },
    alone: (work) => {
      // There on https only; elsewhere two tabs may send the same mark, which counts once.
      const locks = navigator.locks as LockManager | undefined;
      return locks ? locks.request(`${marksPrefix}${adminId}`, work) : work();
    },
    now: Date.now,
    later: (run, delayMs) => void setTimeout(run, delayMs),
    newKey: newIdempotencyKey,
  });
  const goOn = () => queue.look();
  window.addEventListener('online', goOn);
  window.addEventListener('storage', ({ key }) => {
    if (key === null || key.startsWith(marksPrefix)) goOn();
  });
  connection.subscribe(() => {
    if (connection.get()) goOn();
  });
  sessionState.subscribe(() => {
    if (sessionState.get() === 'signed in') goOn();
  });
  return queue;
}

async function send({ operation, body, key }: Mark): Promise<unknown> {
  const how = { idempotencyKey: key, signal: AbortSignal.timeout(answerWithinMs), inBackground: true };
  return operation === 'markAttendance'
    ? call('markAttendance', { body, ...how })
    : call('markPicks', { body, ...how });
}

/** What the server says takes the place of what was known; an answer that is on its way does not know of the mark. */
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
