import type { InputOf } from '../../api/operation-types.ts';

/** The state of an entry on its way to the server. */
export interface Delivery {
  /** Idempotency key, so that repeated requests count once. */
  readonly key: string;
  /** The time at which the entry was made, in milliseconds since 1970. */
  readonly at: number;
  /** `unsure`: the server may have saved it, but a retry could count twice or be refused, so the user decides. */
  readonly state: 'sending' | 'waiting' | 'unsure' | 'done' | 'refused' | 'undoing' | 'undone';
  readonly takenBack: boolean;
  /** Server failures in a row; network failures do not count. */
  readonly failures: number;
  readonly underWay: boolean;
  /** Whether the server may have saved an earlier attempt whose answer was lost. */
  readonly doubt: Doubt;
  /** Milliseconds since 1970. Until then, an entry is not sent, and a saved mark stays for other pages to read. */
  readonly notBefore: number;
  readonly problem: Problem | null;
  /** Id of the page that sends the entry. Another page sends it if that page is closed or frozen. */
  readonly page: string;
}

export interface PointsEntry extends Delivery {
  readonly kind: 'points';
  readonly schoolDb: string;
  readonly classId: number;
  readonly studentIds: readonly number[];
  /** Teams that get the points themselves; `studentIds` is then empty. */
  readonly teamIds?: readonly number[];
  readonly change: number;
  readonly description: string;
  readonly template?: string;
  /** Points of teams have no category. */
  readonly categoryId?: number;
  /** Only staff can see the note. Points of teams have none. */
  readonly note?: string | null;
  /** Ids of the records that the server wrote, in the order of the students, without refused ones. Empty until then. */
  readonly logIds: readonly number[];
  /** Students, or teams, that the server refused. */
  readonly refusedIds: readonly number[];
  /** Students, or teams, whose records could not be revoked. */
  readonly stuckIds: readonly number[];
}

interface MarkEntryOf<K extends 'attendance' | 'picks', I extends 'markAttendance' | 'markPicks'>
  extends Delivery {
  readonly kind: K;
  readonly body: InputOf<I>['body'] & { readonly day: string };
  /** The server's answer, kept for a moment so that other pages can show it too. */
  readonly answer?: unknown;
}

export type AttendanceEntry = MarkEntryOf<'attendance', 'markAttendance'>;
export type PicksEntry = MarkEntryOf<'picks', 'markPicks'>;
export type MarkEntry = AttendanceEntry | PicksEntry;

/** Points, absences or picks (marks) that must reach the server, even after the page is closed. */
export type Entry = PointsEntry | MarkEntry;

type WithoutDelivery<E> = E extends Entry ? Omit<E, keyof Delivery> : never;
export type NewEntry = WithoutDelivery<Entry>;

export const isPointsEntry = (entry: Entry | undefined): entry is PointsEntry => entry?.kind === 'points';
export const isMarkEntry = (entry: Entry): entry is MarkEntry => entry.kind !== 'points';

export interface EntryChange {
  readonly was: Entry | undefined;
  /** The last state if the entry was removed. */
  readonly entry: Entry;
  readonly isGone: boolean;
}

/** Returns the entries that replace the given one; null for no change. */
export type EntryUpdate = (entry: Entry) => readonly Entry[] | null;

/** `slight`: the server reported a failure, so it has most likely saved nothing. */
export type Doubt = 'none' | 'slight' | 'real';

export interface Problem {
  readonly status: number;
  /** In English, for developers. */
  readonly message: string;
}

export const failuresBeforeGiveUp = 4;
/** Automatic retries end after this time, because the server may forget a key after 24 hours. */
export const retryWindowMs = 20 * 3_600_000;
/** An entry that is further in the future was made before the clock was set back, so its age is unknown. */
const clockSkewMs = 3_600_000;
/** The longest pause. A pause that ends later was set before the clock was set back. */
const pauseMaxMs = 60_000;

export const noAttempts = { failures: 0, underWay: false, doubt: 'none', notBefore: 0 } as const;
export const newDelivery = { state: 'sending', takenBack: false, problem: null, ...noAttempts } as const;

/**
 * Whether the server has saved an entry. `unsent`: certainly not. `failed`: most likely not. `uncertain`: perhaps.
 * `doubtful`: perhaps, after several failures. `unsure`: perhaps, so the user decides. `settled`: the server answered.
 */
export type SaveStatus = 'unsent' | 'failed' | 'uncertain' | 'doubtful' | 'unsure' | 'settled';

export function saveStatusOf({ state, failures, underWay, doubt }: Delivery): SaveStatus {
  if (state === 'unsure') return 'unsure';
  if (state === 'done' || state === 'undone' || state === 'refused') return 'settled';
  if (doubt === 'real' && failures >= failuresBeforeGiveUp) return 'doubtful';
  if (underWay || doubt === 'real') return 'uncertain';
  return doubt === 'slight' ? 'failed' : 'unsent';
}

export const isUnanswered = ({ state }: Delivery): boolean => state === 'sending' || state === 'waiting';

export const isUnsettled = (entry: Delivery): boolean => isUnanswered(entry) || entry.state === 'undoing';

export const mustBeKept = (entry: Delivery): boolean => saveStatusOf(entry) !== 'settled';

export const isCertainlyUnsent = (entry: Delivery): boolean =>
  isUnanswered(entry) && saveStatusOf(entry) === 'unsent';

export const isTakenBack = ({ state, takenBack }: Delivery): boolean =>
  state === 'undoing' || state === 'undone' || takenBack;

export const mayGiveUp = (entry: Delivery): boolean =>
  entry.state === 'unsure' || (isUnsettled(entry) && entry.failures >= failuresBeforeGiveUp);

/** Returns whether the user may send an `unsure` entry again. One that was undone would only be revoked again. */
export const maySendAgain = ({ state, takenBack }: Delivery): boolean => state === 'unsure' && !takenBack;

export const isPauseRunning = (until: number, now: number): boolean =>
  until > now && until - now <= pauseMaxMs;

/** Returns whether the server may have forgotten the key, so a retry could count twice. Picks are harmless. */
export const mayKeyHaveExpired = (entry: Entry, now: number): boolean =>
  entry.kind !== 'picks' &&
  isUnanswered(entry) &&
  !isCertainlyUnsent(entry) &&
  (entry.at < now - retryWindowMs || entry.at > now + clockSkewMs);

export const greaterDoubt = (one: Doubt, other: Doubt): Doubt =>
  one === 'real' || other === 'real' ? 'real' : one === 'slight' ? one : other;
