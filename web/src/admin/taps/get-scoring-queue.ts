import type { ClassTeams, Student } from '@classledger/contract';
import type { QueryClient } from '@tanstack/react-query';
import { ApiFailure, NetworkFailure } from '../../api/api-failure.ts';
import { call, newIdempotencyKey } from '../../api/call.ts';
import { sessionState } from '../../api/session-state.ts';
import { invalidateStaleReads } from '../../api/stale-reads.ts';
import type { Attempt } from './attempt.ts';
import { ScoringQueue } from './scoring-queue.ts';
import type { SavedPoints, Tap, WriteResult } from './tap.ts';
import { outboxPrefix, pagePrefix, TapOutbox } from './tap-outbox.ts';

/** A call without an answer by then is retried, so it does not block other taps. */
const requestTimeoutMs = 20_000;
/** How often to check for closed pages. Storage events usually announce them sooner. */
const refreshIntervalMs = 10_000;
/** Caps `Retry-After`, which a proxy may also send. */
const retryAfterMaxMs = 60_000;

const queues = new Map<number, ScoringQueue>();

/** Returns an administrator's queue: one for the app, so it goes on sending after the person leaves the page. */
export function getScoringQueue(client: QueryClient, adminId: number): ScoringQueue {
  const queue = queues.get(adminId) ?? openQueue(client, adminId);
  queues.set(adminId, queue);
  return queue;
}

function openQueue(client: QueryClient, adminId: number): ScoringQueue {
  const page = newIdempotencyKey();
  const queue = new ScoringQueue({
    outbox: new TapOutbox(adminId, localStorage),
    page,
    openPages,
    send: (tap) => attemptOf(send(tap)),
    undo: (tap) => attemptOf(undo(tap)),
    onSaved: (saved) => {
      client.setQueriesData<unknown>(
        { predicate: ({ queryKey, state }) => queryKey[0] === 'listUsers' && Array.isArray(state.data) },
        (rows: unknown) => addSavedPoints(rows as readonly Student[], saved),
      );
      client.setQueriesData<unknown>(
        { predicate: ({ queryKey, state }) => queryKey[0] === 'getTeams' && state.data !== undefined },
        (teams: unknown) => addSavedTeamPoints(teams as ClassTeams, saved),
      );
      // Last, because `setQueriesData` marks its data as fresh.
      const operations = saved.teamIds.size > 0 ? teamWrites : studentWrites;
      void invalidateStaleReads(client, operations, saved.isLate ? 'active' : 'none');
    },
    now: Date.now,
    schedule: (run, delayMs) => void setTimeout(run, delayMs),
    newKey: newIdempotencyKey,
  });
  listenToPageEvents(queue, page);
  return queue;
}

const studentWrites = ['addScores', 'revokeScoreLogs'] as const;
const teamWrites = ['giveTeamPoints', 'revokeTeamRecords'] as const;

async function send({
  schoolDb,
  classId,
  studentIds,
  teamIds,
  change,
  description,
  note,
  key,
}: Tap): Promise<WriteResult> {
  const gift = { schoolDb, scoreChange: change, description };
  const options = { idempotencyKey: key, ...backgroundOptions() };
  if (!teamIds) {
    const items = studentIds.map((userId) => ({ userId }));
    return call('addScores', { body: { ...gift, ...(note && { note }), items }, ...options });
  }
  const body = { ...gift, classId, teamIds: [...teamIds] };
  const { records } = await call('giveTeamPoints', { body, ...options });
  const done = { success: true, code: 0, reason: null };
  return { details: records.map(({ id: logId }, index) => ({ index, logId, ...done })) };
}

function undo({ schoolDb, classId, teamIds, logIds }: Tap): Promise<unknown> {
  const ids = [...logIds];
  return teamIds
    ? call('revokeTeamRecords', { body: { schoolDb, classId, ids }, ...backgroundOptions() })
    : call('revokeScoreLogs', { body: { schoolDb, ids }, ...backgroundOptions() });
}

const backgroundOptions = () => ({ signal: AbortSignal.timeout(requestTimeoutMs), inBackground: true });

function listenToPageEvents(queue: ScoringQueue, page: string): void {
  let releasePageLock = holdPageLock(page);
  const retryNow = () => queue.retryNow();
  window.addEventListener('online', retryNow);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') retryNow();
  });
  window.addEventListener('storage', ({ key, newValue }) => {
    const isPageClosed = newValue === null && key?.startsWith(pagePrefix);
    // Null: the whole storage was cleared.
    if (key === null || isPageClosed || key.startsWith(outboxPrefix)) void queue.refresh();
  });
  // The browser froze this page; other pages may have sent its taps.
  document.addEventListener('resume', retryNow);
  setInterval(() => void queue.refresh(), refreshIntervalMs);
  sessionState.subscribe(() => {
    if (sessionState.get() === 'signed in') retryNow();
    if (sessionState.get() === 'signed out') queue.forgetSettled();
  });
  window.addEventListener('pagehide', () => {
    queue.removeHeartbeat();
    releasePageLock();
  });
  window.addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return;
    releasePageLock = holdPageLock(page);
    retryNow();
  });
  window.addEventListener('beforeunload', (event) => {
    // The sign-out has already asked.
    if (queue.hasUnsent && sessionState.get() !== 'signed out') event.preventDefault();
  });
}

/** Undefined without https. There, a page counts as gone when its heartbeat is too old. */
const locks = () => navigator.locks as LockManager | undefined;

/** Shows other pages that this one is open. Returns the release: browsers keep no page with a lock for Back. */
function holdPageLock(page: string): () => void {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  // Without the lock, other pages take this page for gone and send its taps, too.
  locks()
    ?.request(pagePrefix + page, () => released)
    .catch(() => {});
  return release;
}

async function openPages(): Promise<ReadonlySet<string> | null> {
  const known = await locks()
    ?.query()
    .catch(() => null);
  return known?.held ? new Set(known.held.map(({ name }) => (name ?? '').slice(pagePrefix.length))) : null;
}

const attemptOf = <T>(sent: Promise<T>): Promise<Attempt<T>> =>
  sent.then((answer) => ({ outcome: 'answered', answer }), failedAttempt);

/** Tells a refusal from a failure after which the same request may be retried. */
export function failedAttempt(error: unknown): Attempt<never> {
  if (!(error instanceof ApiFailure)) {
    const isTimedOut = error instanceof NetworkFailure && isTimeout(error.cause);
    return {
      outcome: 'unknown',
      retryAfterMs: null,
      isLocal: isTimedOut,
      hasServerFailed: isTimedOut,
      doubt: 'real',
    };
  }
  const { status, message, reason, retryAfterSeconds, requestId } = error;
  // A proxy answered, which does not know the tap.
  const isForeign = requestId === null;
  // Another request with this key is running; its answer can be fetched in a moment.
  const isInUse = status === 409 && retryAfterSeconds !== null;
  // The administrator must sign in or set up a second factor first.
  const isTooEarly = status === 401 || reason === 'factor';
  const canRetry = isForeign || isInUse || status >= 500 || status === 429 || isTooEarly;
  if (!canRetry) return { outcome: 'refused', problem: { status, message } };
  const failed = isForeign || status >= 500;
  const minimumMs = isTooEarly ? 15_000 : null;
  return {
    outcome: 'unknown',
    retryAfterMs: retryAfterSeconds ? Math.min(retryAfterSeconds * 1_000, retryAfterMaxMs) : minimumMs,
    isLocal: failed || isInUse,
    hasServerFailed: failed,
    // The server rolls back a request at which it fails, unless it lost its database during the commit.
    doubt: isForeign || isInUse ? 'real' : status >= 500 ? 'slight' : 'none',
  };
}

const isTimeout = (cause: unknown) => cause instanceof DOMException && cause.name === 'TimeoutError';

/** Adds saved points to a roster. Students without new points stay the same objects. */
export function addSavedPoints(
  roster: readonly Student[],
  { studentIds, change, times }: SavedPoints,
): readonly Student[] {
  const part = change > 0 ? 'addScore' : 'deductScore';
  return roster.map((student) =>
    studentIds.has(student.id)
      ? {
          ...student,
          totalScore: student.totalScore + times * change,
          [part]: student[part] + times * change,
          scoreCount: student.scoreCount + times,
        }
      : student,
  );
}

/** Adds saved points to the teams of a class. Ranks stay as the server last sent them, until the next fetch. */
export function addSavedTeamPoints(
  known: ClassTeams,
  { studentIds, teamIds, change, times }: SavedPoints,
): ClassTeams {
  const teams = known.teams.map((team) => {
    const given = times * change;
    const ofMembers = team.userIds.filter((id) => studentIds.has(id)).length * given;
    const own = teamIds.has(team.id) ? given : 0;
    if (ofMembers === 0 && own === 0) return team;
    const counted = known.ranking === 'sum' ? ofMembers : ofMembers / Math.max(1, team.userIds.length);
    return {
      ...team,
      memberPoints: team.memberPoints + ofMembers,
      ownPoints: team.ownPoints + own,
      points: team.points + counted + own,
    };
  });
  return { ...known, teams };
}
