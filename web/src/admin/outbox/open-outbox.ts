import type { AttendanceSheet, ClassTeams, Picks, Student } from '@classledger/contract';
import type { QueryClient } from '@tanstack/react-query';
import { call, newIdempotencyKey } from '../../api/call.ts';
import { connection } from '../../api/connection.ts';
import { queryKeyOf } from '../../api/queries.ts';
import { sessionState } from '../../api/session-state.ts';
import { invalidateStaleReads } from '../../api/stale-reads.ts';
import { toAttempt } from './attempt.ts';
import { isMarkEntry, type MarkEntry, type PointsEntry } from './entry.ts';
import { EntryStore, entryPrefix, pagePrefix } from './entry-store.ts';
import { markResultOf } from './mark-entry.ts';
import { Outbox } from './outbox.ts';
import { addSavedPoints, addSavedTeamPoints, type SavedPoints, type WriteResult } from './points-entry.ts';
import { ScoringQueue } from './scoring-queue.ts';

/** A call without an answer by then counts as failed. It is repeated after the other entries. */
const requestTimeoutMs = 20_000;
/** How often to check for closed pages. Storage events usually announce them sooner. */
const refreshIntervalMs = 10_000;

const queues = new Map<number, ScoringQueue>();

/** Returns the administrator's queue, the only one in the app, so that it goes on sending on every page. */
export function getScoringQueue(client: QueryClient, adminId: number): ScoringQueue {
  const queue = queues.get(adminId) ?? openOutbox(client, adminId);
  queues.set(adminId, queue);
  return queue;
}

/** Opens the outbox, and sends entries that were left when the last page was closed. */
function openOutbox(client: QueryClient, adminId: number): ScoringQueue {
  const outbox = new Outbox({
    store: new EntryStore(adminId, localStorage),
    page: newIdempotencyKey(),
    give: (entry) => toAttempt(give(entry)),
    undo: (entry) => toAttempt(undo(entry)),
    mark: (mark) => toAttempt(saveMark(mark)),
    now: Date.now,
    schedule: (run, delayMs) => void setTimeout(run, delayMs),
    newKey: newIdempotencyKey,
  });
  const queue = new ScoringQueue(outbox, (saved) => addToTotals(client, saved));
  // The first listener, so that the cache contains the answer before pages stop showing the mark.
  outbox.subscribe((changes) => {
    for (const change of changes) {
      const effect = markResultOf(change);
      if (!isMarkEntry(change.entry) || effect === null) continue;
      if (effect === 'saved') cacheAnswer(client, change.entry);
      void invalidateStaleReads(client, [change.entry.kind === 'picks' ? 'markPicks' : 'markAttendance']);
    }
  });
  outbox.refresh();
  listenToPageEvents(outbox);
  return queue;
}

async function give(entry: PointsEntry): Promise<WriteResult> {
  const { schoolDb, classId, studentIds, teamIds, change, description, categoryId, note, key } = entry;
  const gift = { schoolDb, scoreChange: change, description };
  const options = { idempotencyKey: key, ...backgroundOptions() };
  if (!teamIds) {
    const items = studentIds.map((userId) => ({ userId }));
    const optional = { ...(categoryId && { categoryId }), ...(note && { note }) };
    return call('addScores', { body: { ...gift, ...optional, items }, ...options });
  }
  const body = { ...gift, classId, teamIds: [...teamIds] };
  const { records } = await call('giveTeamPoints', { body, ...options });
  const done = { success: true, code: 0, reason: null };
  return { details: records.map(({ id: logId }, index) => ({ index, logId, ...done })) };
}

function undo({ schoolDb, classId, teamIds, logIds }: PointsEntry): Promise<unknown> {
  const ids = [...logIds];
  return teamIds
    ? call('revokeTeamRecords', { body: { schoolDb, classId, ids }, ...backgroundOptions() })
    : call('revokeScoreLogs', { body: { schoolDb, ids }, ...backgroundOptions() });
}

function saveMark({ kind, body, key }: MarkEntry): Promise<unknown> {
  const options = { idempotencyKey: key, ...backgroundOptions() };
  return kind === 'picks'
    ? call('markPicks', { body, ...options })
    : call('markAttendance', { body, ...options });
}

const backgroundOptions = () => ({ signal: AbortSignal.timeout(requestTimeoutMs), inBackground: true });

function addToTotals(client: QueryClient, saved: SavedPoints): void {
  client.setQueriesData<unknown>(
    { predicate: ({ queryKey, state }) => queryKey[0] === 'listUsers' && Array.isArray(state.data) },
    (rows: unknown) => addSavedPoints(rows as readonly Student[], saved),
  );
  client.setQueriesData<unknown>(
    { predicate: ({ queryKey, state }) => queryKey[0] === 'getTeams' && state.data !== undefined },
    (teams: unknown) => addSavedTeamPoints(teams as ClassTeams, saved),
  );
  // Comes last, because `setQueriesData` marks its data as fresh.
  const operations =
    saved.teamIds.size > 0
      ? (['giveTeamPoints', 'revokeTeamRecords'] as const)
      : (['addScores', 'revokeScoreLogs'] as const);
  void invalidateStaleReads(client, operations, saved.isLate ? 'active' : 'none');
}

/** Puts an answer into the cache. Cancels running fetches, whose data may lack the mark. */
function cacheAnswer(client: QueryClient, { kind, body, answer }: MarkEntry): void {
  const { schoolDb, classId } = body;
  const replaceCached = (key: readonly unknown[], data: unknown) => {
    void client.cancelQueries({ queryKey: key, exact: true });
    client.setQueryData(key, data);
  };
  if (kind === 'picks') {
    replaceCached(queryKeyOf('getPicks', { query: { schoolDb, classId } }), answer as Picks);
    return;
  }
  const sheet = answer as AttendanceSheet;
  replaceCached(queryKeyOf('getAttendance', { query: { schoolDb, classId, day: sheet.day } }), sheet);
  if (sheet.day === sheet.today)
    replaceCached(queryKeyOf('getAttendance', { query: { schoolDb, classId } }), sheet);
}

function listenToPageEvents(outbox: Outbox): void {
  const retryNow = () => outbox.retryNow();
  window.addEventListener('online', retryNow);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') retryNow();
  });
  window.addEventListener('storage', ({ key, newValue }) => {
    const isPageClosed = newValue === null && key?.startsWith(pagePrefix);
    // A null key means that the whole storage was cleared.
    if (key === null || isPageClosed || key.startsWith(entryPrefix)) outbox.refresh();
  });
  // The browser had frozen this page, so other pages may have sent its entries.
  document.addEventListener('resume', retryNow);
  setInterval(() => outbox.refresh(), refreshIntervalMs);
  connection.subscribe(() => {
    if (connection.get()) outbox.resumeSending();
  });
  sessionState.subscribe(() => {
    if (sessionState.get() === 'signed in') retryNow();
    if (sessionState.get() === 'signed out') outbox.removeSettled();
  });
  window.addEventListener('pagehide', () => outbox.releaseEntries());
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) retryNow();
  });
  window.addEventListener('beforeunload', (event) => {
    // At a sign-out, the page has already asked about unsent entries.
    if (outbox.hasUnsent && sessionState.get() !== 'signed out') event.preventDefault();
  });
}
