import type { InputOf } from '../../api/operation-types.ts';

/** Says how far an entry is on its way to the server. */
export interface Delivery {
  /** Idempotency key: repeated requests count once. */
  readonly key: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** `unsure`: it may have been saved, but a retry could count twice or be refused, so a person decides. */
  readonly state: 'sending' | 'waiting' | 'unsure' | 'done' | 'refused' | 'undoing' | 'undone';
  readonly takenBack: boolean;
  /** Server failures in a row; network failures do not count. */
  readonly failures: number;
  readonly underWay: boolean;
  /** Whether an earlier attempt may have been saved without an answer. */
  readonly doubt: Doubt;
  /**
   * Ends a pause, or for a saved mark the time that other pages have to read its answer. Milliseconds since 1970 by this
   * device's clock.
   */
  readonly notBefore: number;
  readonly problem: Problem | null;
  /** Id of the page that sends it. Another page takes over when this one is gone or frozen. */
  readonly page: string;
}

export interface Tap extends Delivery {
  readonly kind: 'points';
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
  /** Records that it wrote, in the order of its students, without the refused ones. Empty until it is done. */
  readonly logIds: readonly number[];
  /** Students, or teams, that the server refused. */
  readonly refusedIds: readonly number[];
  /** Students, or teams, whose records could not be revoked. */
  readonly stuckIds: readonly number[];
}

interface MarkOf<K extends 'attendance' | 'picks', I extends 'markAttendance' | 'markPicks'>
  extends Delivery {
  readonly kind: K;
  readonly body: InputOf<I>['body'] & { readonly day: string };
  /** The server's answer, for a moment after it arrived: other pages show it, too. */
  readonly answer?: unknown;
}

export type AttendanceMark = MarkOf<'attendance', 'markAttendance'>;
export type PicksMark = MarkOf<'picks', 'markPicks'>;
export type Mark = AttendanceMark | PicksMark;

/** Something that must reach the server, even if the network or the page is gone for a while. */
export type Entry = Tap | Mark;

type WithoutDelivery<E> = E extends Entry ? Omit<E, keyof Delivery> : never;
export type NewEntry = WithoutDelivery<Entry>;

export const isTap = (entry: Entry | undefined): entry is Tap => entry?.kind === 'points';
export const isMark = (entry: Entry): entry is Mark => entry.kind !== 'points';

export interface EntryChange {
  readonly was: Entry | undefined;
  /** The last state, if the entry is gone. */
  readonly entry: Entry;
  readonly isGone: boolean;
}

/** Returns the entries that replace one; null for no change. */
export type Change = (entry: Entry) => readonly Entry[] | null;

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
/** An entry further in the future is from before the clock was set back: its age is unknown. */
const clockSkewMs = 3_600_000;
/** The longest pause; a later end comes from a clock that was set back. */
const pauseMaxMs = 60_000;

export const noAttempts = { failures: 0, underWay: false, doubt: 'none', notBefore: 0 } as const;
export const newDelivery = { state: 'sending', takenBack: false, problem: null, ...noAttempts } as const;

/**
 * What this browser knows about an entry at the server. `unsent`: certainly not saved. `failed`: most likely not saved.
 * `uncertain`: perhaps saved. `doubtful`: perhaps saved, after several failures.
 */
export type Status = 'unsent' | 'failed' | 'uncertain' | 'doubtful' | 'unsure' | 'settled';

/** Returns the status; every rule about certainty reads it. */
export function statusOf({ state, failures, underWay, doubt }: Delivery): Status {
  if (state === 'unsure') return 'unsure';
  if (state === 'done' || state === 'undone' || state === 'refused') return 'settled';
  if (doubt === 'real' && failures >= failuresBeforeGiveUp) return 'doubtful';
  if (underWay || doubt === 'real') return 'uncertain';
  return doubt === 'slight' ? 'failed' : 'unsent';
}

/** Returns whether the server's decision is still unknown. */
export const isUnanswered = ({ state }: Delivery): boolean => state === 'sending' || state === 'waiting';

export const isUnsettled = (entry: Delivery): boolean => isUnanswered(entry) || entry.state === 'undoing';

/** Returns whether an entry must be kept: it is unsettled, or a person must decide about it. */
export const mustBeKept = (entry: Delivery): boolean => statusOf(entry) !== 'settled';

export const isCertainlyUnsent = (entry: Delivery): boolean =>
  isUnanswered(entry) && statusOf(entry) === 'unsent';

export const isTakenBack = ({ state, takenBack }: Delivery): boolean =>
  state === 'undoing' || state === 'undone' || takenBack;

export const mayGiveUp = (entry: Delivery): boolean =>
  entry.state === 'unsure' || (isUnsettled(entry) && entry.failures >= failuresBeforeGiveUp);

/** Returns whether a person may send an `unsure` entry. One that was taken back would only be revoked again. */
export const maySendAgain = ({ state, takenBack }: Delivery): boolean => state === 'unsure' && !takenBack;

export const isPauseRunning = (until: number, now: number): boolean =>
  until > now && until - now <= pauseMaxMs;

/**
 * Returns whether a retry could count twice or overwrite newer changes: the server may have forgotten the key. A pick of
 * a past day changes nothing.
 */
export const isTooOld = (entry: Entry, now: number): boolean =>
  entry.kind !== 'picks' &&
  isUnanswered(entry) &&
  !isCertainlyUnsent(entry) &&
  (entry.at < now - retryWindowMs || entry.at > now + clockSkewMs);

export const greaterDoubt = (one: Doubt, other: Doubt): Doubt =>
  one === 'real' || other === 'real' ? 'real' : one === 'slight' ? one : other;
