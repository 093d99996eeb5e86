import type { Student } from '@classledger/contract';
import type { ScoringQueue } from '../../taps/scoring-queue.ts';
import type { Tap } from '../../taps/tap.ts';

type Queue = Pick<ScoringQueue, 'taps' | 'isUncertain'>;

/**
 * Watches the taps while a roster is asked for.
 *
 * @returns what the answer makes of the roster that is known. It may hold a tap that was on its way meanwhile or not,
 * nobody can tell: students of such taps keep the totals that they have, so that nothing jumps back or counts twice.
 * All others show what the server says.
 */
export function watchTaps(
  queue: Queue,
): (known: readonly Student[] | undefined, answered: readonly Student[]) => readonly Student[] {
  const before = new Map(queue.taps.map((tap) => [tap.key, tap]));
  const uncertain = queue.taps.filter((tap) => queue.isUncertain(tap));
  return (known, answered) => {
    if (!known) return answered;
    const after = queue.taps;
    const still = new Set(after.map(({ key }) => key));
    // One that was only made meanwhile has not reached the server.
    const moved = (tap: Tap) =>
      queue.isUncertain(tap) ||
      (before.get(tap.key) !== tap && (before.has(tap.key) || tap.state !== 'sending'));
    const kept = new Set([
      ...[...uncertain, ...after.filter(moved)].flatMap(({ studentIds }) => studentIds),
      ...[...before.values()].flatMap((tap) => (still.has(tap.key) ? [] : tap.studentIds)),
    ]);
    if (kept.size === 0) return answered;
    const byId = new Map(known.map((student) => [student.id, student]));
    return answered.map((student) => {
      const shown = kept.has(student.id) ? byId.get(student.id) : undefined;
      if (!shown) return student;
      const { totalScore, addScore, deductScore, scoreCount } = shown;
      return { ...student, totalScore, addScore, deductScore, scoreCount };
    });
  };
}
