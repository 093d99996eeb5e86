import type { Student } from '@classledger/contract';

/** The only arithmetic by which totals move: points that are given or taken back, students who come, go or change class. */

/** What some records add up to. */
export class Sums {
  added = 0;
  deducted = 0;
  addCount = 0;
  deductCount = 0;
  records = 0;

  count(change: number): void {
    this.records++;
    if (change > 0) {
      this.added += change;
      this.addCount++;
    } else if (change < 0) {
      this.deducted += change;
      this.deductCount++;
    }
  }

  add(sums: Sums): void {
    this.added += sums.added;
    this.deducted += sums.deducted;
    this.addCount += sums.addCount;
    this.deductCount += sums.deductCount;
    this.records += sums.records;
  }
}

/** With the heads of a class. */
class ClassSums extends Sums {
  students = 0;
  disabled = 0;
}

/** What the live records of one day of the school add up to. */
export interface DaySums extends Readonly<Sums> {
  /** As `2026-09-01`. */
  readonly day: string;
}

/**
 * How far the totals of students, classes and days of classes move in a transaction: all up ("in"), or all down
 * ("out"). Its caller holds the locks of the students and classes, and sends it with `moveTotals`.
 */
export class TotalsMove {
  readonly direction: 'in' | 'out';
  readonly students = new Map<number, Sums>();
  readonly classes = new Map<number, ClassSums>();
  readonly days = new Map<string, { readonly classId: number; readonly day: string; readonly sums: Sums }>();

  constructor(direction: 'in' | 'out') {
    this.direction = direction;
  }

  /**
   * A record of a student begins to count, or ceases to.
   *
   * @param day on which it was written, at the school
   */
  record(student: { readonly id: number; readonly classId: number }, change: number, day: string): this {
    const { id, classId } = student;
    entryOf(this.students, id, () => new Sums()).count(change);
    this.#classOf(classId).count(change);
    this.#dayOf(classId, day).count(change);
    return this;
  }

  /** A student comes into a class, or leaves it, with records by day; the totals of the student stay as they are. */
  student(classId: number, disabled: boolean, days: readonly DaySums[]): this {
    const totals = this.#classOf(classId);
    totals.students++;
    if (disabled) totals.disabled++;
    for (const sums of days) {
      totals.add(sums);
      this.#dayOf(classId, sums.day).add(sums);
    }
    return this;
  }

  /** A student of a class becomes a disabled one, or ceases to be one. */
  disabled(classId: number): this {
    this.#classOf(classId).disabled++;
    return this;
  }

  /** Where a student stands after it. */
  appliedTo(student: Student): Student {
    const sums = this.students.get(student.id);
    if (!sums) return student;
    const sign = this.direction === 'in' ? 1 : -1;
    return {
      ...student,
      totalScore: student.totalScore + sign * (sums.added + sums.deducted),
      addScore: student.addScore + sign * sums.added,
      deductScore: student.deductScore + sign * sums.deducted,
      scoreCount: student.scoreCount + sign * sums.records,
    };
  }

  #classOf(id: number): ClassSums {
    return entryOf(this.classes, id, () => new ClassSums());
  }

  #dayOf(classId: number, day: string): Sums {
    return entryOf(this.days, `${classId} ${day}`, () => ({ classId, day, sums: new Sums() })).sums;
  }
}

function entryOf<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const found = map.get(key);
  if (found) return found;
  const made = make();
  map.set(key, made);
  return made;
}
