import type { InputOf } from '../../api/operation-types.ts';
import { type Doubt, failuresBeforeGiveUp, isKeyTooOld, noAttempts, type Problem } from '../taps/tap.ts';

interface MarkOf<I extends 'markAttendance' | 'markPicks'> {
  /** Idempotency key: repeated requests count once. */
  readonly key: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly operation: I;
  readonly body: InputOf<I>['body'] & { readonly day: string };
  /** `unsure`: the server may have it and may have forgotten the key. A retry could overwrite newer changes. */
  readonly state: 'waiting' | 'unsure' | 'refused';
  /** Server failures in a row; network failures do not count. */
  readonly failures: number;
  readonly underWay: boolean;
  /** How likely it is that an earlier attempt was saved although no answer arrived. */
  readonly doubt: Doubt;
  /** Milliseconds since 1970 by this device's clock; no retry before. */
  readonly restsUntil: number;
  readonly problem: Problem | null;
}

export type Mark = MarkOf<'markAttendance'> | MarkOf<'markPicks'>;

export type NewMark = Pick<Mark, 'operation' | 'body'>;

/** The longest pause; a later end comes from a clock that was set back. */
const pauseMaxMs = 60_000;

export const newMarkState = { state: 'waiting', ...noAttempts, restsUntil: 0, problem: null } as const;

/** Returns whether pages show a mark on top of the server's state. */
export const isWaiting = ({ state }: Mark): boolean => state === 'waiting';

export const mayGiveUp = ({ state, failures }: Mark): boolean =>
  state === 'unsure' || (state === 'waiting' && failures >= failuresBeforeGiveUp);

export const isPauseRunning = (until: number, now: number): boolean =>
  until > now && until - now <= pauseMaxMs;

/** Returns whether a retry could overwrite newer changes. A pick of a past day changes nothing. */
export const isTooOld = ({ operation, state, underWay, doubt, at }: Mark, now: number): boolean =>
  operation === 'markAttendance' &&
  state === 'waiting' &&
  (underWay || doubt !== 'none') &&
  isKeyTooOld(at, now);

/** Returns whether one mark must not overtake another: same operation, day and student. */
export function dependsOn(one: Mark, other: Mark): boolean {
  if (one.operation !== other.operation || one.body.day !== other.body.day) return false;
  const ids = studentIdsOf(other);
  return studentIdsOf(one).some((id) => ids.includes(id));
}

export function studentIdsOf({ body }: NewMark): readonly number[] {
  return 'againIds' in body ? [...body.userIds, ...(body.againIds ?? [])] : body.userIds;
}
