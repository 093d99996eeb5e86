import type { ClassTeams, Student } from '@classledger/contract';
import type { QueryClient } from '@tanstack/react-query';
import { ApiFailure, NetworkFailure } from '../../api/api-failure.ts';
import { call, newIdempotencyKey } from '../../api/call.ts';
import { outdate } from '../../api/outdated.ts';
import { sessionState } from '../../api/session-state.ts';
import type { Attempt } from './attempt.ts';
import { ScoringQueue } from './scoring-queue.ts';
import type { Saved, Tap, Written } from './tap.ts';
import { outboxPrefix, pagePrefix, TapOutbox } from './tap-outbox.ts';

/** A call without an answer by then is retried, so it does not block other taps. */
const answerWithinMs = 20_000;
/** How often to check for closed pages. Storage events usually announce them sooner. */
const lookEveryMs = 10_000;
/** Caps `Retry-After`, which a proxy may also send. */
const restedMaxMs = 60_000;

const queues = new Map<number, ScoringQueue>();

/** Returns an administrator's queue: one for the app, so it goes on sending after the person leaves the page. */
export function queueOfAdmin(client: QueryClient, adminId: number): ScoringQueue {
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
    send: (tap) => attempt(send(tap)),
    undo: (tap) => attempt(undo(tap)),
    saved: (saved) => {
      client.setQueriesData<unknown>(
        { predicate: ({ queryKey, state }) => queryKey[0] === 'listUsers' && Array.isArray(state.data) },
        (rows: unknown) => withSaved(rows as readonly Student[], saved),
      );
      client.setQueriesData<unknown>(
        { predicate: ({ queryKey, state }) => queryKey[0] === 'getTeams' && state.data !== undefined },
        (teams: unknown) => teamsWithSaved(teams as ClassTeams, saved),
      );
      // Last, because `setQueriesData` marks its data as fresh.
      const operations = saved.teamIds.size > 0 ? ofTeams : ofStudents;
      void outdate(client, operations, saved.late ? 'active' : 'none');
    },
    now: Date.now,
    later: (run, delayMs) => void setTimeout(run, delayMs),
    newKey: newIdempotencyKey,
  });
  keepInTouch(queue, page);
  return queue;
}

const ofStudents = ['addScores', 'revokeScoreLogs'] as const;
const ofTeams = ['giveTeamPoints', 'revokeTeamRecords'] as const;

async function send({
  schoolDb,
  classId,
  studentIds,
  teamIds,
  change,
  description,
  note,
  key,
}: Tap): Promise<Written> {
  const gift = { schoolDb, scoreChange: change, description };
  const how = { idempotencyKey: key, ...inBackground() };
  if (!teamIds) {
    const items = studentIds.map((userId) => ({ userId }));
    return call('addScores', { body: { ...gift, ...(note && { note }), items }, ...how });
  }
  const body = { ...gift, classId, teamIds: [...teamIds] };
  const { records } = await call('giveTeamPoints', { body, ...how });
  const done = { success: true, code: 0, reason: null };
  return { details: records.map(({ id: logId }, index) => ({ index, logId, ...done })) };
}

function undo({ schoolDb, classId, teamIds, logIds }: Tap): Promise<unknown> {
  const ids = [...logIds];
  return teamIds
    ? call('revokeTeamRecords', { body: { schoolDb, classId, ids }, ...inBackground() })
    : call('revokeScoreLogs', { body: { schoolDb, ids }, ...inBackground() });
}

const inBackground = () => ({ signal: AbortSignal.timeout(answerWithinMs), inBackground: true });

function keepInTouch(queue: ScoringQueue, page: string): void {
  let leave = showOpen(page);
  const goOn = () => queue.retryNow();
  window.addEventListener('online', goOn);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') goOn();
  });
  window.addEventListener('storage', ({ key, newValue }) => {
    const hasLeft = newValue === null && key?.startsWith(pagePrefix);
    // Null: the whole storage was cleared.
    if (key === null || hasLeft || key.startsWith(outboxPrefix)) void queue.look();
  });
  // The browser froze this page; other pages may have sent its taps.
  document.addEventListener('resume', goOn);
  setInterval(() => void queue.look(), lookEveryMs);
  sessionState.subscribe(() => {
    if (sessionState.get() === 'signed in') goOn();
    if (sessionState.get() === 'signed out') queue.forgetSettled();
  });
  window.addEventListener('pagehide', () => {
    queue.leave();
    leave();
  });
  window.addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return;
    leave = showOpen(page);
    goOn();
  });
  window.addEventListener('beforeunload', (event) => {
    // The sign-out has already asked.
    if (queue.hasUnsent && sessionState.get() !== 'signed out') event.preventDefault();
  });
}

/** Undefined without https. There, a page counts as gone when its heartbeat is too old. */
const locks = () => navigator.locks as LockManager | undefined;

/** Shows other pages that this one is open. Returns the release: browsers keep no page with a lock for Back. */
function showOpen(page: string): () => void {
  let release = () => {};
  const left = new Promise<void>((resolve) => {
    release = resolve;
  });
  // Without the lock, other pages take this page for gone and send its taps, too.
  locks()
    ?.request(pagePrefix + page, () => left)
    .catch(() => {});
  return release;
}

async function openPages(): Promise<ReadonlySet<string> | null> {
  const known = await locks()
    ?.query()
    .catch(() => null);
  return known?.held ? new Set(known.held.map(({ name }) => (name ?? '').slice(pagePrefix.length))) : null;
}

const attempt = <T>(sent: Promise<T>): Promise<Attempt<T>> =>
  sent.then((answer) => ({ outcome: 'answered', answer }), outcomeOf);

/** Tells a refusal from a failure after which the same request may be retried. */
export function outcomeOf(error: unknown): Attempt<never> {
  if (!(error instanceof ApiFailure)) {
    const timedOut = error instanceof NetworkFailure && isTimeout(error.cause);
    return { outcome: 'unknown', retryAfterMs: null, ofTap: timedOut, failed: timedOut, doubt: 'real' };
  }
  const { status, message, reason, retryAfterSeconds, requestId } = error;
  // A proxy answered, which knows nothing of the tap.
  const isForeign = requestId === null;
  // Another request with this key is running; its answer can be fetched in a moment.
  const isInUse = status === 409 && retryAfterSeconds !== null;
  // The administrator must sign in or set up a second factor first.
  const isTooEarly = status === 401 || reason === 'factor';
  const again = isForeign || isInUse || status >= 500 || status === 429 || isTooEarly;
  if (!again) return { outcome: 'refused', problem: { status, message } };
  const failed = isForeign || status >= 500;
  const shortest = isTooEarly ? 15_000 : null;
  return {
    outcome: 'unknown',
    retryAfterMs: retryAfterSeconds ? Math.min(retryAfterSeconds * 1_000, restedMaxMs) : shortest,
    ofTap: failed || isInUse,
    failed,
    // The server rolls back a request at which it fails, unless it lost its database during the commit.
    doubt: isForeign || isInUse ? 'real' : status >= 500 ? 'slight' : 'none',
  };
}

const isTimeout = (cause: unknown) => cause instanceof DOMException && cause.name === 'TimeoutError';

/** Adds saved points to a roster. Students without new points stay the same objects. */
export function withSaved(
  roster: readonly Student[],
  { studentIds, change, times }: Saved,
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
export function teamsWithSaved(known: ClassTeams, { studentIds, teamIds, change, times }: Saved): ClassTeams {
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
