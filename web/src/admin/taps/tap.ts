import type { ScoresWritten } from '@classledger/contract';

/** One tap: the same points for one or several students. */
export interface Tap {
  /** Idempotency key: however often the tap is sent, it counts once. */
  readonly key: string;
  readonly schoolDb: string;
  readonly classId: number;
  readonly studentIds: readonly number[];
  readonly change: number;
  readonly description: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /**
   * `unsure`: nobody knows whether it was saved, and the server cannot be asked: it may have forgotten the key of so
   * old a tap, or refuses now what it allowed then. Only a person can decide whether it is sent again.
   */
  readonly state: 'sending' | 'waiting' | 'unsure' | 'done' | 'refused' | 'undoing' | 'undone';
  /** Somebody took it back before the server had answered; kept over a reload like the rest. */
  readonly takenBack: boolean;
  /** The records that it wrote; known once it is done. */
  readonly logIds: readonly number[];
  /** Those of its students whom the server refused. */
  readonly refusedIds: readonly number[];
  /** How many of its records could not be taken back when the others were. */
  readonly stuckCount: number;
  /** How often in a row the server failed at this tap, as opposed to the network. */
  readonly failures: number;
  /** Whether an attempt may have done what it asks for, though nobody heard so. */
  readonly doubt: Doubt;
  /** What the server answered when it refused something of it. */
  readonly problem: Problem | null;
}

/** `slight`: the server said that it failed, and should have done nothing. */
export type Doubt = 'none' | 'slight' | 'real';

/** Why the server refused something. */
export interface Problem {
  /** As of HTTP. */
  readonly status: number;
  /** In English, for integrators. */
  readonly message: string;
}

/** So many taps can still be undone. */
const keptMax = 50;
/** After so many failures in a row a tap may be given up. */
const givenUpAfter = 4;

/** Whether the server has still to hear or answer a tap. */
export const isUnsettled = ({ state }: Tap): boolean =>
  state === 'sending' || state === 'waiting' || state === 'undoing';

/** Whether a tap must not be forgotten: it is unsettled, or a person has to decide about it. */
export const isKept = (tap: Tap): boolean => isUnsettled(tap) || tap.state === 'unsure';

/** Whether a tap shows as taken back already. */
export const isTakenBack = ({ state, takenBack }: Tap): boolean =>
  state === 'undoing' || state === 'undone' || takenBack;

const hasFailedOften = (tap: Tap) => isUnsettled(tap) && tap.failures >= givenUpAfter;

/** Whether a person may end the attempts at a tap. */
export const mayBeGivenUp = (tap: Tap): boolean => tap.state === 'unsure' || hasFailedOften(tap);

/** Whether it has long been unknown if a tap counts. */
export const isDoubtful = (tap: Tap): boolean => tap.doubt === 'real' && hasFailedOften(tap);

/** What is left to doubt after a further attempt. */
export const worse = (one: Doubt, other: Doubt): Doubt =>
  one === 'real' || other === 'real' ? 'real' : one === 'slight' ? one : other;

/** The newest taps, and of the others those that must not be forgotten. */
export const withoutOldest = (taps: readonly Tap[]): readonly Tap[] =>
  taps.filter((tap, index) => index < keptMax || isKept(tap));

/** A tap that another page has kept: nobody here knows what of it was under way there. */
export const ofOtherPage = (tap: Tap): Tap => (isUnsettled(tap) ? { ...tap, doubt: 'real' } : tap);

/** What a tap changes in totals, by student; who never got the points does not lose them either. */
export function changesOf(
  { studentIds, refusedIds }: Pick<Tap, 'studentIds' | 'refusedIds'>,
  change: number,
): ReadonlyMap<number, number> {
  const changes = new Map<number, number>();
  for (const id of studentIds) {
    if (!refusedIds.includes(id)) changes.set(id, (changes.get(id) ?? 0) + change);
  }
  return changes;
}

/** What unsettled taps change in the totals that the server has answered. */
export function pendingChanges(taps: readonly Tap[]): ReadonlyMap<number, number> {
  const sums = new Map<number, number>();
  for (const tap of taps) {
    const onItsWay = (tap.state === 'sending' || tap.state === 'waiting') && !tap.takenBack;
    const signed = onItsWay ? tap.change : tap.state === 'undoing' ? -tap.change : 0;
    if (signed === 0 || isDoubtful(tap)) continue;
    for (const [id, change] of changesOf(tap, signed)) sums.set(id, (sums.get(id) ?? 0) + change);
  }
  return sums;
}

/** What an entry of the answer says; its codes are statuses with a number behind. */
export function problemOf(entry: ScoresWritten['details'][number] | undefined): Problem | null {
  return entry ? { status: Math.floor(entry.code / 100), message: entry.reason ?? '' } : null;
}
