import type { ScoresWritten } from '@classledger/contract';

export interface Tap {
  /** Idempotency key: repeated requests count once. */
  readonly key: string;
  readonly schoolDb: string;
  readonly classId: number;
  readonly studentIds: readonly number[];
  /** Teams that get the points themselves; `studentIds` is then empty. */
  readonly teamIds?: readonly number[];
  readonly change: number;
  readonly description: string;
  readonly template?: string;
  /** Visible to staff only; unused with points of teams. */
  readonly note?: string | null;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** `unsure`: it may have been saved, but a retry could count twice or be refused, so a person decides. */
  readonly state: 'sending' | 'waiting' | 'unsure' | 'done' | 'refused' | 'undoing' | 'undone';
  readonly takenBack: boolean;
  /** Records that it wrote, in the order of its students, without the refused ones. Empty until it is done. */
  readonly logIds: readonly number[];
  /** Students, or teams, that the server refused. */
  readonly refusedIds: readonly number[];
  /** Students, or teams, whose records could not be revoked. */
  readonly stuckIds: readonly number[];
  /** Server failures in a row; network failures do not count. */
  readonly failures: number;
  readonly underWay: boolean;
  /** Whether an earlier attempt may have been saved without an answer. */
  readonly doubt: Doubt;
  readonly problem: Problem | null;
  /** Id of the page that sends it. Another page takes over when this one is gone or frozen. */
  readonly page: string;
}

export interface TapChange {
  readonly was: Tap | undefined;
  readonly tap: Tap;
}

export type NewTap = Pick<
  Tap,
  'schoolDb' | 'classId' | 'studentIds' | 'teamIds' | 'change' | 'description' | 'template' | 'note'
>;

export const reasonOf = ({ template, description }: Tap): string => template ?? description;

/** `slight`: the server reported a failure, so it has most likely saved nothing. */
export type Doubt = 'none' | 'slight' | 'real';

export interface Problem {
  readonly status: number;
  /** English, for integrators. */
  readonly message: string;
}

export const failuresBeforeGiveUp = 4;
/** Servers remember keys for at least a day; automatic retries end well before. */
export const retryWindowMs = 20 * 3_600_000;
/** A tap further in the future is from before the clock was set back: its age is unknown. */
const clockSkewMs = 3_600_000;

export const noAttempts = { failures: 0, underWay: false, doubt: 'none' } as const;

export const newTapState = {
  state: 'sending',
  takenBack: false,
  logIds: [],
  refusedIds: [],
  stuckIds: [],
  problem: null,
  ...noAttempts,
} as const satisfies Partial<Tap>;

/** Returns whether the server's decision about a tap is still unknown. */
export const isUnanswered = ({ state }: Tap): boolean => state === 'sending' || state === 'waiting';

export const isUnsettled = (tap: Tap): boolean => isUnanswered(tap) || tap.state === 'undoing';

/** Returns whether a tap must be kept: it is unsettled, or a person must decide about it. */
export const mustBeKept = (tap: Tap): boolean => isUnsettled(tap) || tap.state === 'unsure';

export const isTakenBack = ({ state, takenBack }: Tap): boolean =>
  state === 'undoing' || state === 'undone' || takenBack;

const hasFailedOften = (tap: Tap) => isUnsettled(tap) && tap.failures >= failuresBeforeGiveUp;

export const mayGiveUp = (tap: Tap): boolean => tap.state === 'unsure' || hasFailedOften(tap);

/** Returns whether a person may send an `unsure` tap. One that was taken back would only be revoked again. */
export const maySendAfterAll = ({ state, takenBack }: Tap): boolean => state === 'unsure' && !takenBack;

/** Returns whether a tap was in doubt for several failures. Totals then show as the server sent them, without it. */
export const isDoubtful = (tap: Tap): boolean => tap.doubt === 'real' && hasFailedOften(tap);

/** Returns whether totals that the server sends now may or may not include a tap. */
export const isUncertain = (tap: Tap): boolean =>
  isUnsettled(tap) && (tap.underWay || tap.doubt === 'real') && !isDoubtful(tap);

export const isCertainlyUnsent = (tap: Tap): boolean =>
  isUnanswered(tap) && !tap.underWay && tap.doubt === 'none';

export const isKeyTooOld = (at: number, now: number): boolean =>
  at < now - retryWindowMs || at > now + clockSkewMs;

/** Returns whether a retry could count twice: the tap may have reached the server, which may have forgotten its key. */
export const isTooOld = (tap: Tap, now: number): boolean =>
  isUnanswered(tap) && !isCertainlyUnsent(tap) && isKeyTooOld(tap.at, now);

export const greaterDoubt = (one: Doubt, other: Doubt): Doubt =>
  one === 'real' || other === 'real' ? 'real' : one === 'slight' ? one : other;

/** Returns the students, or teams, of a tap without the refused ones. */
export const recipientIdsOf = ({ studentIds, teamIds = studentIds, refusedIds }: Tap): readonly number[] =>
  teamIds.filter((id) => !refusedIds.includes(id));

export interface SavedPoints {
  /** Empty for points of teams. */
  readonly studentIds: ReadonlySet<number>;
  readonly teamIds: ReadonlySet<number>;
  readonly change: number;
  /** -1: the points were revoked. */
  readonly times: 1 | -1;
  /** Lists requested meanwhile may already include the points. */
  readonly isLate: boolean;
}

/** Returns the points that were saved or revoked between two states of a tap; null if neither happened. */
export function savedPointsBetween(was: Tap, tap: Tap): SavedPoints | null {
  const [before, after] = [countedRecipientIds(was), countedRecipientIds(tap)];
  const more = after.filter((id) => !before.includes(id));
  const fewer = before.filter((id) => !after.includes(id));
  if (more.length + fewer.length === 0) return null;
  // Totals show as the server sent them while a tap is in long doubt, so they may already include it.
  const ids = new Set(isDoubtful(was) ? [] : [...more, ...fewer]);
  const none: ReadonlySet<number> = new Set();
  const recipients = tap.teamIds ? { studentIds: none, teamIds: ids } : { studentIds: ids, teamIds: none };
  return {
    ...recipients,
    change: tap.change,
    times: more.length > 0 ? 1 : -1,
    isLate: was.state === 'waiting',
  };
}

/** Returns the students, or teams, whose totals certainly include a tap. */
export function countedRecipientIds(tap: Tap): readonly number[] {
  if (tap.state === 'done' || tap.state === 'undoing') return recipientIdsOf(tap);
  return tap.state === 'undone' ? tap.stuckIds : [];
}

/** Sums what unsettled taps change in the server's totals, by student or by team. */
export function pendingChanges(taps: readonly Tap[], of: 'students' | 'teams'): ReadonlyMap<number, number> {
  const sums = new Map<number, number>();
  for (const tap of taps) {
    const isGiven = isUnanswered(tap) && !tap.takenBack;
    const signed = isGiven ? tap.change : tap.state === 'undoing' ? -tap.change : 0;
    const isOfTeams = tap.teamIds !== undefined;
    if (signed === 0 || isDoubtful(tap) || isOfTeams !== (of === 'teams')) continue;
    for (const id of recipientIdsOf(tap)) sums.set(id, (sums.get(id) ?? 0) + signed);
  }
  return sums;
}

export interface WriteResult {
  readonly details: readonly Pick<
    ScoresWritten['details'][number],
    'index' | 'success' | 'code' | 'reason' | 'logId'
  >[];
}

/** Returns the problem of an entry. Its code is an HTTP status followed by two digits. */
export function problemOf(entry: WriteResult['details'][number] | undefined): Problem | null {
  return entry ? { status: Math.floor(entry.code / 100), message: entry.reason ?? '' } : null;
}
