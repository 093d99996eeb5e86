import type { ScoresWritten, Student } from '@classledger/contract';
import type { QueryClient } from '@tanstack/react-query';
import { ApiFailure, NetworkFailure } from '../../api/api-failure.ts';
import { call, newIdempotencyKey } from '../../api/call.ts';
import { outdate } from '../../api/outdated.ts';
import { sessionState } from '../../api/session-state.ts';
import { openPages, showLeft, showOpen, thisPage } from './open-page.ts';
import { type Attempt, ScoringQueue } from './scoring-queue.ts';
import { TapAdoption } from './tap-adoption.ts';
import { storePrefix, TapStore } from './tap-store.ts';

/** A call that is not answered by then is sent again; it must not hold up the others. */
const answerWithinMs = 20_000;
/** How often it is looked whether other pages are still there; mostly they say so themselves. */
const checkEveryMs = 20_000;
/** Nobody asks a teacher to wait longer, whatever a machine on the way may say. */
const restedMaxMs = 60_000;

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
  const later = (run: () => void, delayMs: number) => void setTimeout(run, delayMs);
  const store = new TapStore(adminId, thisPage().id, localStorage, Date.now);
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
          ...inBackground(),
        }),
      ),
    undo: ({ schoolDb, logIds }) =>
      attempt(() =>
        call('revokeScoreLogs', {
          body: { schoolDb, ids: [...logIds] },
          ...inBackground(),
        }),
      ),
    settle: (students) => settle(client, (rows) => withTotals(rows, students), 'none'),
    settleLate: (missing) => settle(client, (rows) => withChanges(rows, missing), 'active'),
    now: Date.now,
    later,
    newKey: newIdempotencyKey,
    keep: (taps) => store.write(taps),
  });
  const adoption = new TapAdoption({
    queue,
    store,
    formerPage: thisPage().former,
    formerIsGone: thisPage().formerIsGone,
    openPages,
    now: Date.now,
    elapsed: () => performance.now(),
    later,
  });
  adoption.begin();
  keepInTouch(queue, store, adoption);
  return queue;
}

const inBackground = () => ({ signal: AbortSignal.timeout(answerWithinMs), inBackground: true });

/** Tells the queue what happens around the page, and other pages that this one is open. */
function keepInTouch(queue: ScoringQueue, store: TapStore, adoption: TapAdoption): void {
  const goOn = () => {
    adoption.letGo();
    queue.retryNow();
    void adoption.check();
  };
  showOpen();
  window.addEventListener('online', goOn);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') goOn();
  });
  window.addEventListener('storage', ({ key }) => {
    if (!key?.startsWith(storePrefix)) return;
    adoption.letGo();
    void adoption.check();
  });
  // It was frozen: whatever it goes on with may be done by now.
  document.addEventListener('resume', goOn);
  setInterval(() => void adoption.check(), checkEveryMs);
  sessionState.subscribe(() => {
    if (sessionState.get() === 'signed in') queue.retryNow();
  });
  window.addEventListener('pagehide', () => {
    store.leave();
    showLeft();
  });
  window.addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return;
    showOpen();
    adoption.comeBack();
    goOn();
  });
  window.addEventListener('beforeunload', (event) => {
    // Whoever signs out has been asked already.
    if (queue.unsettled && sessionState.get() !== 'signed out') event.preventDefault();
  });
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
    return { outcome: 'unknown', retryAfterMs: null, ofTap: timedOut, failed: timedOut, doubt: 'real' };
  }
  const { status, message, retryAfterSeconds, requestId } = error;
  // Something between here and the server answered, which knows nothing of the tap.
  const isForeign = requestId === null;
  // Another request with the key is being carried out, of this page or another: its answer can be had in a moment.
  const isInUse = status === 409 && retryAfterSeconds !== null;
  const again =
    isForeign ||
    isInUse ||
    status >= 500 ||
    status === 429 ||
    // Nobody is signed in: the tap waits for its administrator.
    status === 401;
  if (!again) return { outcome: 'refused', problem: { status, message } };
  const failed = isForeign || status >= 500;
  const shortest = status === 401 ? 15_000 : null;
  return {
    outcome: 'unknown',
    // Zero would mean without a pause.
    retryAfterMs: retryAfterSeconds ? Math.min(retryAfterSeconds * 1_000, restedMaxMs) : shortest,
    ofTap: failed || isInUse,
    failed,
    // What the server itself fails at is rolled back, unless its database was lost in that very moment.
    doubt: isForeign || isInUse ? 'real' : status >= 500 ? 'slight' : 'none',
  };
}

const isTimeout = (cause: unknown) => cause instanceof DOMException && cause.name === 'TimeoutError';

/** @param refetched which of the lists that are outdated by it are asked for at once */
function settle(
  client: QueryClient,
  change: (rows: readonly Student[]) => readonly Student[],
  refetched: 'active' | 'none',
): void {
  client.setQueriesData<unknown>(
    { predicate: ({ queryKey, state }) => queryKey[0] === 'listUsers' && Array.isArray(state.data) },
    (rows: unknown) => change(rows as readonly Student[]),
  );
  // Afterwards: what is put in counts as fresh.
  void outdate(client, ['addScores', 'revokeScoreLogs'], refetched);
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

/** A roster with what a tap has changed, until the present totals are there. */
function withChanges(roster: readonly Student[], changes: ReadonlyMap<number, number>): readonly Student[] {
  return roster.map((student) => {
    const change = changes.get(student.id);
    return change === undefined ? student : { ...student, totalScore: student.totalScore + change };
  });
}
