import { SchoolData } from '../access/school-data.ts';
import type { Transaction } from '../database/connect.ts';
import { generateSeats } from '../features/seats/seats.ts';
import { closeTerm } from '../features/terms/switch-term.ts';
import { loadTerm, type TermLoad } from './load-term.ts';
import type { RosterEntry } from './term-plan.ts';

/** Seats for the largest class: four groups of six rows of two. */
const layout = { groupCount: 4, rowsPerGroup: 6, colsPerGroup: 2 };

export interface PastTerm extends Omit<TermLoad, 'roster' | 'now'> {
  readonly classes: readonly { readonly id: number; readonly roster: readonly RosterEntry[] }[];
  readonly closedAt: Date;
  readonly name: string;
  readonly closer: { readonly id: number; readonly username: string };
}

export async function loadPastTerm(tx: Transaction, past: PastTerm): Promise<void> {
  const { schoolId, authorId, classes, closedAt, name, closer, records } = past;
  const roster = classes.flatMap((found) => found.roster);
  await loadTerm(tx, { schoolId, authorId, roster, now: closedAt, records });
  const data = wholeSchool(tx, schoolId);
  for (const { id: classId } of classes) {
    await closeTerm(data, { classId, action: 'archive', name }, closer, closedAt, true);
  }
}

export async function seatClasses(
  tx: Transaction,
  schoolId: number,
  classes: readonly { readonly id: number }[],
): Promise<void> {
  const data = wholeSchool(tx, schoolId);
  for (const { id: classId } of classes) await generateSeats(data, { classId, ...layout });
}

const wholeSchool = (tx: Transaction, schoolId: number) =>
  new SchoolData(tx, { schoolId, gradeId: null, classId: null });
