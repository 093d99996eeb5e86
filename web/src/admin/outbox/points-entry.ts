import type { ClassTeams, ScoresWritten, Student } from '@classledger/contract';
import { type Attempt, type UnknownOutcome, updateForRefusal } from './attempt.ts';
import {
  type EntryUpdate,
  isPointsEntry,
  isUnanswered,
  noAttempts,
  type PointsEntry,
  saveStatusOf,
} from './entry.ts';

export interface PointsEntryChange {
  readonly was: PointsEntry | undefined;
  readonly entry: PointsEntry;
}

export type NewPoints = Pick<
  PointsEntry,
  | 'schoolDb'
  | 'classId'
  | 'studentIds'
  | 'teamIds'
  | 'change'
  | 'description'
  | 'template'
  | 'categoryId'
  | 'note'
>;

export interface WriteResult {
  readonly details: readonly Pick<
    ScoresWritten['details'][number],
    'index' | 'success' | 'code' | 'reason' | 'logId'
  >[];
}

export interface PointsPorts {
  readonly give: (entry: PointsEntry) => Promise<Attempt<WriteResult>>;
  readonly undo: (entry: PointsEntry) => Promise<Attempt<unknown>>;
}

export const pointsReasonOf = ({ template, description }: PointsEntry): string => template ?? description;

export const recipientIdsOf = ({
  studentIds,
  teamIds = studentIds,
  refusedIds,
}: PointsEntry): readonly number[] => teamIds.filter((id) => !refusedIds.includes(id));

const updatePoints =
  (changed: (entry: PointsEntry) => PointsEntry | null): EntryUpdate =>
  (entry) => {
    const after = isPointsEntry(entry) ? changed(entry) : null;
    return after && [after];
  };

export async function sendPoints(
  sent: PointsEntry,
  ports: PointsPorts,
): Promise<EntryUpdate | UnknownOutcome> {
  if (sent.state === 'undoing') return revokePoints(sent, ports);
  const attempt = await ports.give(sent);
  if (attempt.outcome === 'unknown') return attempt;
  if (attempt.outcome === 'refused') return updateForRefusal(sent, attempt.problem);
  const { details } = attempt.answer;
  const refused = details.filter(({ success }) => !success);
  const [first] = refused;
  // A code is an HTTP status followed by two digits.
  const problem = first ? { status: Math.floor(first.code / 100), message: first.reason ?? '' } : null;
  const logIds = details.flatMap(({ logId }) => (logId === null ? [] : [logId]));
  const refusedIds = refused.flatMap(({ index }) => (sent.teamIds ?? sent.studentIds)[index] ?? []);
  const result = { logIds, refusedIds, problem, ...noAttempts };
  // Meanwhile the user may have undone the entry, or another page may have received the same answer.
  return updatePoints((entry) => {
    if (entry.logIds.length > 0) return null;
    const state = logIds.length === 0 ? 'refused' : entry.takenBack ? 'undoing' : 'done';
    return { ...entry, ...result, state };
  });
}

async function revokePoints(sent: PointsEntry, ports: PointsPorts): Promise<EntryUpdate | UnknownOutcome> {
  const all = await ports.undo(sent);
  if (all.outcome === 'unknown') return all;
  const recipientIds = recipientIdsOf(sent);
  const stuckIds: number[] = [];
  if (all.outcome === 'refused') {
    // If one record no longer exists, the server refuses all, so each is revoked in a request of its own.
    for (const [index, logId] of sent.logIds.entries()) {
      const one = sent.logIds.length === 1 ? all : await ports.undo({ ...sent, logIds: [logId] });
      if (one.outcome === 'unknown') return one;
      if (one.outcome === 'refused') stuckIds.push(recipientIds[index] as number);
    }
  }
  const state = stuckIds.length === sent.logIds.length ? 'done' : 'undone';
  const problem = all.outcome === 'refused' ? all.problem : null;
  return updatePoints((entry) =>
    entry.state === 'undoing' || entry.state === 'done'
      ? { ...entry, ...noAttempts, state, takenBack: false, stuckIds, problem }
      : null,
  );
}

export interface SavedPoints {
  /** Empty for points of teams. */
  readonly studentIds: ReadonlySet<number>;
  readonly teamIds: ReadonlySet<number>;
  readonly change: number;
  /** -1 if the points were revoked. */
  readonly times: 1 | -1;
  /** True if totals fetched in the meantime may already include the points. */
  readonly isLate: boolean;
}

/** Returns the points that were saved or revoked between two states of an entry; null if neither happened. */
export function savedPointsBetween(was: PointsEntry, entry: PointsEntry): SavedPoints | null {
  const [before, after] = [countedRecipientIds(was), countedRecipientIds(entry)];
  const more = after.filter((id) => !before.includes(id));
  const fewer = before.filter((id) => !after.includes(id));
  if (more.length + fewer.length === 0) return null;
  // While an entry is `doubtful`, pages show the server's totals, which may include it, so nothing must be added.
  const ids = new Set(saveStatusOf(was) === 'doubtful' ? [] : [...more, ...fewer]);
  const none: ReadonlySet<number> = new Set();
  return {
    studentIds: entry.teamIds ? none : ids,
    teamIds: entry.teamIds ? ids : none,
    change: entry.change,
    times: more.length > 0 ? 1 : -1,
    isLate: was.state === 'waiting',
  };
}

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

/** Adds saved points to the teams of a class. The next fetch updates their ranks. */
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

/** Returns the students, or teams, whose totals on the server certainly include the entry. */
export function countedRecipientIds(entry: PointsEntry): readonly number[] {
  if (entry.state === 'done' || entry.state === 'undoing') return recipientIdsOf(entry);
  return entry.state === 'undone' ? entry.stuckIds : [];
}

/** Returns how many entries wait for the network: all unanswered ones if it is down or lost a request, else none. */
export function waitingEntryCount(entries: readonly PointsEntry[], isConnected: boolean): number {
  const unanswered = entries.filter(isUnanswered);
  // Ignores entries at which the server failed, because these show it in their own entries.
  const isWaiting = unanswered.some(({ state, failures }) => state === 'waiting' && failures === 0);
  return isWaiting || !isConnected ? unanswered.length : 0;
}

/** Sums points and undos that the server has not answered yet, by student and by team. */
export function pendingChanges(entries: readonly PointsEntry[]) {
  const sums = { students: new Map<number, number>(), teams: new Map<number, number>() };
  for (const entry of entries) {
    const isGiven = isUnanswered(entry) && !entry.takenBack;
    const signed = isGiven ? entry.change : entry.state === 'undoing' ? -entry.change : 0;
    if (signed === 0 || saveStatusOf(entry) === 'doubtful') continue;
    const ofRecipients = entry.teamIds ? sums.teams : sums.students;
    for (const id of recipientIdsOf(entry)) ofRecipients.set(id, (ofRecipients.get(id) ?? 0) + signed);
  }
  return sums;
}
