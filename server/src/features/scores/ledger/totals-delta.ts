import type { Student } from '@classledger/contract';

/** Computes how totals change when points are given or revoked, or students come, go or change class. */

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

class ClassSums extends Sums {
  students = 0;
  disabled = 0;
}

export interface DaySums extends Readonly<Sums> {
  /** For example `2026-09-01`. */
  readonly day: string;
  readonly categoryId: number | null;
}

/** Collects how a transaction raises ("in") or lowers ("out") totals. The caller locks the students and classes. */
export class TotalsDelta {
  readonly direction: 'in' | 'out';
  readonly students = new Map<number, Sums>();
  readonly classes = new Map<number, ClassSums>();
  readonly days = new Map<string, { readonly classId: number; readonly day: string; readonly sums: Sums }>();
  /** The parts of `students` and `days` that have a category. */
  readonly studentCategories = new Map<
    string,
    { readonly studentId: number; readonly categoryId: number; readonly sums: Sums }
  >();
  readonly dayCategories = new Map<
    string,
    { readonly classId: number; readonly day: string; readonly categoryId: number; readonly sums: Sums }
  >();

  constructor(direction: 'in' | 'out') {
    this.direction = direction;
  }

  /** Adds a record that is written or revoked. @param day the day of writing, in the school's time zone */
  addRecord(
    student: { readonly id: number; readonly classId: number },
    change: number,
    day: string,
    categoryId: number | null,
  ): this {
    const { id, classId } = student;
    getOrCreate(this.students, id, () => new Sums()).count(change);
    this.#classSums(classId).count(change);
    this.#daySums(classId, day).count(change);
    if (categoryId !== null) {
      const ofStudent = { studentId: id, categoryId };
      getOrCreate(this.studentCategories, `${id} ${categoryId}`, () => ({
        ...ofStudent,
        sums: new Sums(),
      })).sums.count(change);
      this.#dayCategorySums(classId, day, categoryId).count(change);
    }
    return this;
  }

  /** Adds a student who enters or leaves a class with the sums of their records; the student's own totals stay. */
  addStudent(classId: number, disabled: boolean, days: readonly DaySums[]): this {
    const totals = this.#classSums(classId);
    totals.students++;
    if (disabled) totals.disabled++;
    for (const sums of days) {
      totals.add(sums);
      this.#daySums(classId, sums.day).add(sums);
      if (sums.categoryId !== null) this.#dayCategorySums(classId, sums.day, sums.categoryId).add(sums);
    }
    return this;
  }

  addDisabled(classId: number): this {
    this.#classSums(classId).disabled++;
    return this;
  }

  /** Returns the student with the totals after an "in" delta. */
  applyTo(student: Student): Student {
    const sums = this.students.get(student.id);
    if (!sums) return student;
    return {
      ...student,
      totalScore: student.totalScore + sums.added + sums.deducted,
      addScore: student.addScore + sums.added,
      deductScore: student.deductScore + sums.deducted,
      scoreCount: student.scoreCount + sums.records,
    };
  }

  #classSums(id: number): ClassSums {
    return getOrCreate(this.classes, id, () => new ClassSums());
  }

  #daySums(classId: number, day: string): Sums {
    return getOrCreate(this.days, `${classId} ${day}`, () => ({ classId, day, sums: new Sums() })).sums;
  }

  #dayCategorySums(classId: number, day: string, categoryId: number): Sums {
    const key = `${classId} ${day} ${categoryId}`;
    return getOrCreate(this.dayCategories, key, () => ({ classId, day, categoryId, sums: new Sums() })).sums;
  }
}

function getOrCreate<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const found = map.get(key);
  if (found) return found;
  const made = make();
  map.set(key, made);
  return made;
}
