import type { InputOf } from '../../api/operation-types.ts';
import { calm, type Doubt, givenUpAfter, isKeyTooOld, type Problem } from '../taps/tap.ts';

interface MarkOf<I extends 'markAttendance' | 'markPicks'> {
  /** Idempotency key: however often the mark is sent, it counts once. */
  readonly key: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly operation: I;
  readonly body: InputOf<I>['body'] & { readonly day: string };
  /**
   * `waiting`: the server has still to hear or answer it. `refused`: it said no, for good. `unsure`: perhaps it has heard it, and has
   * forgotten the key of so old a mark; sent again it would undo what others have said since, so a person decides.
   */
  readonly state: 'waiting' | 'unsure' | 'refused';
  /** How often in a row the server failed at this mark, as opposed to the network. */
  readonly failures: number;
  /** An attempt was made of which nothing is known yet. */
  readonly underWay: boolean;
  /** Whether an attempt before may have done what it asks for, though no one heard so. */
  readonly doubt: Doubt;
  /** Not to be sent again before, by this device's clock. */
  readonly restsUntil: number;
  /** What the server answered when it refused it. */
  readonly problem: Problem | null;
}

/** What was said of students of a class on a day: who was not there, or who was picked. */
export type Mark = MarkOf<'markAttendance'> | MarkOf<'markPicks'>;

/** What a page says. */
export type Said = Pick<Mark, 'operation' | 'body'>;

/** No one waits longer, whatever a clock or a machine on the way may say. */
const restedMaxMs = 60_000;

/** What is known of a mark that no one has tried to send. */
export const untried = { state: 'waiting', ...calm, restsUntil: 0, problem: null } as const;

/** Whether pages show a mark on top of what the server says. */
export const isWaiting = ({ state }: Mark): boolean => state === 'waiting';

/** Whether a person may end the attempts at a mark: it is too old, or the server failed at it again and again. */
export const mayGiveUp = ({ state, failures }: Mark): boolean =>
  state === 'unsure' || (state === 'waiting' && failures >= givenUpAfter);

/** Whether something waits for its next attempt. A pause that is longer than any comes of a clock that was set back. */
export const isPause = (until: number, now: number): boolean => until > now && until - now <= restedMaxMs;

/**
 * Whether the server may have forgotten the key of a mark that it may have heard: the same word would count again, after those of
 * others. A pick of a day that is over changes nothing.
 */
export const isTooOld = ({ operation, state, underWay, doubt, at }: Mark, now: number): boolean =>
  operation === 'markAttendance' &&
  state === 'waiting' &&
  (underWay || doubt !== 'none') &&
  isKeyTooOld(at, now);

/** Whether one mark must not overtake another: both are of the same kind, the same day and the same student. */
export function dependsOn(one: Mark, other: Mark): boolean {
  if (one.operation !== other.operation || one.body.day !== other.body.day) return false;
  const ids = idsOf(other);
  return idsOf(one).some((id) => ids.includes(id));
}

/** Of whom a mark says something. */
export function idsOf({ body }: Said): readonly number[] {
  return 'againIds' in body ? [...body.userIds, ...(body.againIds ?? [])] : body.userIds;
}
