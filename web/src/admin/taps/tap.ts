import type { ScoresWritten } from '@classledger/contract';

/** One tap: the same points for one or several students, or for teams themselves. */
export interface Tap {
  /** Idempotency key: however often the tap is sent, it counts once. */
  readonly key: string;
  readonly schoolDb: string;
  readonly classId: number;
  readonly studentIds: readonly number[];
  /** The teams that get the points themselves; there are no students then. */
  readonly teamIds?: readonly number[];
  readonly change: number;
  readonly description: string;
  /** The name of the template that it came from. */
  readonly template?: string;
  /** What staff say of it among themselves; not of points of teams. */
  readonly note?: string | null;
  /** Milliseconds since 1970. */
  readonly at: number;
  /**
   * `unsure`: no one knows whether it was saved, and the server cannot be asked: it may have forgotten the key of so
   * old a tap, or refuses now what it allowed then. Only a person can decide whether it is sent again.
   */
  readonly state: 'sending' | 'waiting' | 'unsure' | 'done' | 'refused' | 'undoing' | 'undone';
  /** Someone took it back before the server had answered. */
  readonly takenBack: boolean;
  /** The records that it wrote; known once it is done. In the order of its students, without those refused. */
  readonly logIds: readonly number[];
  /** Those of its students whom the server refused. */
  readonly refusedIds: readonly number[];
  /** Those of its students whose records could not be taken back. */
  readonly stuckIds: readonly number[];
  /** How often in a row the server failed at this tap, as opposed to the network. */
  readonly failures: number;
  /** An attempt was made of which nothing is known yet. */
  readonly underWay: boolean;
  /** Whether an attempt before may have done what it asks for, though no one heard so. */
  readonly doubt: Doubt;
  /** What the server answered when it refused something of it. */
  readonly problem: Problem | null;
  /** The page that sends it, by its id; another one does when this one is gone or silent. */
  readonly page: string;
}

/** What became of a tap; one that was taken off the list stays as it was. */
export interface TapChange {
  /** Undefined where this page had not met it. */
  readonly was: Tap | undefined;
  readonly tap: Tap;
}

/** What a page asks for. */
export type NewTap = Pick<
  Tap,
  'schoolDb' | 'classId' | 'studentIds' | 'teamIds' | 'change' | 'description' | 'template' | 'note'
>;

/** What a tap was for, in as few words as there are: a template is known by its name. */
export const reasonOf = ({ template, description }: Tap): string => template ?? description;

/** `slight`: the server said that it failed, and should have done nothing. */
export type Doubt = 'none' | 'slight' | 'real';

/** Why the server refused something. */
export interface Problem {
  /** As of HTTP. */
  readonly status: number;
  /** In English, for integrators. */
  readonly message: string;
}

/** After so many failures in a row a tap, or a mark, may be given up. */
export const givenUpAfter = 4;
/** Servers remember keys for a day or longer; a tap is repeated unasked well within it. */
export const repeatedWithinMs = 20 * 3_600_000;
/** A tap from further ahead was made before the clock was set back: no one knows how old it is. */
const clockSkewMs = 3_600_000;

/** What is known of the attempts at a tap when nothing is in doubt. */
export const calm = { failures: 0, underWay: false, doubt: 'none' } as const;

/** What is known of a tap that the server has not answered. */
export const unanswered = {
  state: 'sending',
  takenBack: false,
  logIds: [],
  refusedIds: [],
  stuckIds: [],
  problem: null,
  ...calm,
} as const satisfies Partial<Tap>;

/** Whether the server has still to hear of a tap, or to say that it has. */
export const isOnItsWay = ({ state }: Tap): boolean => state === 'sending' || state === 'waiting';

/** Whether the server has still to hear or answer something about a tap. */
export const isUnsettled = (tap: Tap): boolean => isOnItsWay(tap) || tap.state === 'undoing';

/** Whether a tap must not be forgotten: it is unsettled, or a person has to decide about it. */
export const isKept = (tap: Tap): boolean => isUnsettled(tap) || tap.state === 'unsure';

/** Whether a tap shows as taken back already. */
export const isTakenBack = ({ state, takenBack }: Tap): boolean =>
  state === 'undoing' || state === 'undone' || takenBack;

const hasFailedOften = (tap: Tap) => isUnsettled(tap) && tap.failures >= givenUpAfter;

/** Whether a person may end the attempts at a tap: it is too old, or the server failed at it again and again. */
export const mayGiveUp = (tap: Tap): boolean => tap.state === 'unsure' || hasFailedOften(tap);

/** Whether a tap can be sent after all; one that was taken back would only be taken back again. */
export const maySendAfterAll = ({ state, takenBack }: Tap): boolean => state === 'unsure' && !takenBack;

/** Whether it has long been unknown if a tap counts: totals are believed as they are, and it is not added to them. */
export const isDoubtful = (tap: Tap): boolean => tap.doubt === 'real' && hasFailedOften(tap);

/** Whether totals that the server answers now may hold a tap or not, no one can tell. */
export const isUncertain = (tap: Tap): boolean =>
  isUnsettled(tap) && (tap.underWay || tap.doubt === 'real') && !isDoubtful(tap);

/** Whether the server has surely not heard of a tap yet. */
export const isUnheard = (tap: Tap): boolean => isOnItsWay(tap) && !tap.underWay && tap.doubt === 'none';

/** Whether the server may have forgotten by now a key of then. */
export const isKeyTooOld = (at: number, now: number): boolean =>
  at < now - repeatedWithinMs || at > now + clockSkewMs;

/** Whether the server may have forgotten the key of a tap that it may have heard of: it would count again. */
export const isTooOld = (tap: Tap, now: number): boolean =>
  isOnItsWay(tap) && !isUnheard(tap) && isKeyTooOld(tap.at, now);

/** What is left to doubt after a further attempt. */
export const worse = (one: Doubt, other: Doubt): Doubt =>
  one === 'real' || other === 'real' ? 'real' : one === 'slight' ? one : other;

/** Those of a tap's students who got the points, as far as anyone knows; or of its teams. */
export const takersOf = ({ studentIds, teamIds = studentIds, refusedIds }: Tap): readonly number[] =>
  teamIds.filter((id) => !refusedIds.includes(id));

/** Points that the server has saved, or has taken back. */
export interface Saved {
  /** Empty where teams themselves got them. */
  readonly studentIds: ReadonlySet<number>;
  readonly teamIds: ReadonlySet<number>;
  readonly change: number;
  /** -1: they were taken back. */
  readonly times: 1 | -1;
  /** Lists that were asked for meanwhile may hold it already. */
  readonly late: boolean;
}

/** What the server has saved or taken back when a tap became another one; null where it has done neither. */
export function savedBetween(was: Tap, tap: Tap): Saved | null {
  const [before, after] = [countedOf(was), countedOf(tap)];
  const more = after.filter((id) => !before.includes(id));
  const fewer = before.filter((id) => !after.includes(id));
  if (more.length + fewer.length === 0) return null;
  // What was in doubt for long was not added to what the server said, which may have held it.
  const ids = new Set(isDoubtful(was) ? [] : [...more, ...fewer]);
  const none: ReadonlySet<number> = new Set();
  const who = tap.teamIds ? { studentIds: none, teamIds: ids } : { studentIds: ids, teamIds: none };
  return { ...who, change: tap.change, times: more.length > 0 ? 1 : -1, late: was.state === 'waiting' };
}

/** Those of a tap's students, or teams, in whose totals it surely is. */
export function countedOf(tap: Tap): readonly number[] {
  if (tap.state === 'done' || tap.state === 'undoing') return takersOf(tap);
  return tap.state === 'undone' ? tap.stuckIds : [];
}

/** What unsettled taps change in the totals that the server has answered, by student or by team. */
export function pendingChanges(taps: readonly Tap[], of: 'students' | 'teams'): ReadonlyMap<number, number> {
  const sums = new Map<number, number>();
  for (const tap of taps) {
    const isGiven = isOnItsWay(tap) && !tap.takenBack;
    const signed = isGiven ? tap.change : tap.state === 'undoing' ? -tap.change : 0;
    const isOfTeams = tap.teamIds !== undefined;
    if (signed === 0 || isDoubtful(tap) || isOfTeams !== (of === 'teams')) continue;
    for (const id of takersOf(tap)) sums.set(id, (sums.get(id) ?? 0) + signed);
  }
  return sums;
}

/** What the server says of each receiver of a tap. */
export interface Written {
  readonly details: readonly Pick<
    ScoresWritten['details'][number],
    'index' | 'success' | 'code' | 'reason' | 'logId'
  >[];
}

/** What an entry of the answer says; its codes are statuses with a number behind. */
export function problemOf(entry: Written['details'][number] | undefined): Problem | null {
  return entry ? { status: Math.floor(entry.code / 100), message: entry.reason ?? '' } : null;
}
