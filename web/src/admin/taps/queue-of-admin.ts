import type { ScoresWritten, Student } from '@classledger/contract';
import type { QueryClient } from '@tanstack/react-query';
import { ApiFailure, NetworkFailure } from '../../api/api-failure.ts';
import { call, newIdempotencyKey } from '../../api/call.ts';
import type { OperationId } from '../../api/operation-types.ts';
import { sessionState } from '../../api/session-state.ts';
import { type Attempt, ScoringQueue } from './scoring-queue.ts';
import { tapStore } from './tap-store.ts';

/** A call that is not answered by then is sent again; it must not hold up the others. */
const answerWithinMs = 20_000;

const queues = new WeakMap<QueryClient, Map<number, ScoringQueue>>();

/** The queue of an administrator: one for the whole app, so that it goes on sending after the page was left. */
export function queueOfAdmin(client: QueryClient, adminId: number): ScoringQueue {
  let ofClient = queues.get(client);
  if (!ofClient) {
    ofClient = new Map();
    queues.set(client, ofClient);
  }
  let queue = ofClient.get(adminId);
  if (!queue) {
    queue = openQueue(client, adminId);
    ofClient.set(adminId, queue);
  }
  return queue;
}

function openQueue(client: QueryClient, adminId: number): ScoringQueue {
  const queue = new ScoringQueue({
    send: ({ schoolDb, studentIds, change, description, key }) =>
      attempt(() =>
        call('addScores', {
          body: {
            schoolDb,
            items: studentIds.map((userId) => ({ userId })),
            scoreChange: change,
            description,
          },
          idempotencyKey: key,
          signal: AbortSignal.timeout(answerWithinMs),
        }),
      ),
    undo: ({ schoolDb, logIds }) =>
      attempt(() =>
        call('revokeScoreLogs', {
          body: { schoolDb, ids: [...logIds] },
          signal: AbortSignal.timeout(answerWithinMs),
        }),
      ),
    settle: (students) => settle(client, students),
    now: Date.now,
    later: (run, delayMs) => void setTimeout(run, delayMs),
    newKey: newIdempotencyKey,
    store: tapStore(adminId, localStorage),
  });
  window.addEventListener('online', () => queue.retryNow());
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') queue.retryNow();
  });
  window.addEventListener('beforeunload', (event) => {
    // Whoever signs out has been asked already.
    if (queue.unsettled && sessionState.get() !== 'signed out') event.preventDefault();
  });
  return queue;
}

/** Tells a refusal from a failure after which the same request may be sent again. */
async function attempt<T>(send: () => Promise<T>): Promise<Attempt<T>> {
  try {
    return { outcome: 'answered', answer: await send() };
  } catch (error) {
    return outcomeOf(error);
  }
}

/** What a failure means for a tap. */
export function outcomeOf(error: unknown): Attempt<never> {
  if (!(error instanceof ApiFailure)) {
    const timedOut = error instanceof NetworkFailure && isTimeout(error.cause);
    return { outcome: 'unknown', retryAfterMs: null, ofTap: timedOut };
  }
  const { status, message, retryAfterSeconds, requestId } = error;
  // Something between here and the server answered, which knows nothing of the tap.
  const isForeign = requestId === null;
  const again =
    isForeign ||
    status >= 500 ||
    status === 429 ||
    // Nobody is signed in: the tap waits for its administrator.
    status === 401 ||
    (status === 409 && retryAfterSeconds !== null);
  if (!again) return { outcome: 'refused', problem: { status, message } };
  const shortest = status === 401 ? 15_000 : null;
  return {
    outcome: 'unknown',
    // Zero would mean without a pause.
    retryAfterMs: retryAfterSeconds ? retryAfterSeconds * 1_000 : shortest,
    ofTap: isForeign || status >= 500,
  };
}

const isTimeout = (cause: unknown) => cause instanceof DOMException && cause.name === 'TimeoutError';

/** Lists that hold what points change; they ask again when they are next shown. */
const outdated: ReadonlySet<unknown> = new Set<OperationId>([
  'listUsers',
  'getUser',
  'listScoreLogs',
  'listSchoolClasses',
  'getStatsOverview',
  'listDayTotals',
  'compareClasses',
  'rankStudents',
]);

/** @param students the new totals; null where they are not known: the lists are asked for at once then */
function settle(client: QueryClient, students: ScoresWritten['students'] | null): void {
  void client.invalidateQueries({
    predicate: ({ queryKey }) => outdated.has(queryKey[0]),
    refetchType: students === null ? 'active' : 'none',
  });
  if (students === null) return;
  client.setQueriesData<unknown>(
    { predicate: ({ queryKey, state }) => queryKey[0] === 'listUsers' && Array.isArray(state.data) },
    (rows: unknown) => withTotals(rows as readonly Student[], students),
  );
}

/** A roster with the totals that the server answered; students that did not change stay the same objects. */
export function withTotals(
  roster: readonly Student[],
  totals: ScoresWritten['students'],
): readonly Student[] {
  const byId = new Map(totals.map((one) => [one.id, one]));
  return roster.map((student) => {
    const fresh = byId.get(student.id);
    if (!fresh) return student;
    const { totalScore, addScore, deductScore, scoreCount } = fresh;
    return { ...student, totalScore, addScore, deductScore, scoreCount };
  });
}
