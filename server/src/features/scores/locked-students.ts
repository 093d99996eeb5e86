import type { Student } from '@classledger/contract';
import { covers, type Range } from '../../access/range.ts';
import { AppError } from '../../app-error.ts';
import type { EntryOutcome, LedgerEntry, ScoreWrite, WrittenStudents } from './score-ledger.ts';
import type { LockedStudent, Sums } from './score-ledger-sql.ts';

/** The students and classes that a transaction has locked. */
export class Roster {
  readonly #byId: Map<number, LockedStudent>;
  readonly #byUsername: Map<string, LockedStudent>;
  readonly #gradeOf: Map<number, number>;

  constructor(students: readonly LockedStudent[], classes: readonly { id: number; gradeId: number }[]) {
    this.#byId = new Map(students.map((student) => [student.id, student]));
    this.#byUsername = new Map(students.map((student) => [student.username, student]));
    this.#gradeOf = new Map(classes.map((found) => [found.id, found.gradeId]));
  }

  byId(id: number): LockedStudent {
    return this.#byId.get(id) as LockedStudent;
  }

  /** Finds the student that an entry means and checks that the range covers it. */
  resolve(range: Range, entry: LedgerEntry): { -readonly [K in keyof EntryOutcome]: EntryOutcome[K] } {
    const failed = (fault: AppError) => ({
      fault,
      studentId: entry.studentId,
      username: entry.username,
      change: Number.isInteger(entry.change) ? entry.change : null,
      recordId: null,
    });
    if (entry.fault) return failed(entry.fault);
    const student =
      entry.studentId !== null
        ? this.#byId.get(entry.studentId)
        : this.#byUsername.get(entry.username as string);
    if (!student) return failed(new AppError('not_found', 'The student was not found'));
    const gradeId = this.#gradeOf.get(student.classId) ?? null;
    if (!covers(range, { schoolId: range.schoolId, gradeId, classId: student.classId })) {
      return failed(new AppError('out_of_range', 'The student is outside the range'));
    }
    if (entry.username !== null && student.username !== entry.username) {
      return failed(new AppError('invalid_value', 'userId and username name different students'));
    }
    return {
      fault: null,
      studentId: student.id,
      username: student.username,
      change: entry.change,
      recordId: null,
    };
  }
}

/** Where the students of a transaction stand; of all its writes, because they are committed together. */
export class Standings {
  readonly #students: Map<number, Student>;

  constructor(students: readonly Student[]) {
    this.#students = new Map(students.map((student) => [student.id, student]));
  }

  add(sums: ReadonlyMap<number, Sums>): void {
    for (const [id, { added, deducted, records }] of sums) {
      const student = this.#students.get(id);
      if (!student) continue;
      this.#students.set(id, {
        ...student,
        totalScore: student.totalScore + added + deducted,
        addScore: student.addScore + added,
        deductScore: student.deductScore + deducted,
        scoreCount: student.scoreCount + records,
      });
    }
  }

  /** The students whom a write reached, and nobody else's. */
  of({ tellsStudents }: ScoreWrite<unknown>, outcomes: readonly EntryOutcome[]): WrittenStudents {
    const reached = new Map<number, Student>();
    if (!tellsStudents) return reached;
    for (const { fault, studentId } of outcomes) {
      const student = fault || studentId === null ? undefined : this.#students.get(studentId);
      if (student) reached.set(student.id, student);
    }
    return reached;
  }
}
