import { type RawBuilder, sql } from 'kysely';
import type { Queryable } from '../database/connect.ts';
import { anyOf } from '../database/expressions.ts';
import type { Range } from './range.ts';

export type Conditions = readonly (RawBuilder<unknown> | undefined)[];

export const andAll = (conditions: Conditions) => {
  const given = conditions.filter((condition) => condition !== undefined);
  return given.length === 0 ? sql`` : sql`AND ${sql.join(given, sql` AND `)}`;
};

const classAndGrade = sql`
  JOIN class c ON c.school_id = s.school_id AND c.id = s.class_id
  JOIN grade g ON g.school_id = c.school_id AND g.id = c.grade_id`;

/** Reads one school, limited to the range unless a comment says otherwise. `SchoolData` lists the aliases. */
export class SchoolReads {
  readonly range: Range;
  protected readonly db: Queryable;

  constructor(db: Queryable, range: Range) {
    this.db = db;
    this.range = range;
  }

  get schoolId(): number {
    return this.range.schoolId;
  }

  /** Selects the grades in the range. A range of one class includes the grade of the class. */
  grades() {
    const { gradeId, classId } = this.range;
    let grades = this.db.selectFrom('grade as g').where('g.school_id', '=', this.schoolId);
    if (classId !== null) {
      grades = grades.where('g.id', 'in', (query) =>
        query
          .selectFrom('class as own')
          .select('own.grade_id')
          .where('own.school_id', '=', this.schoolId)
          .where('own.id', '=', classId),
      );
    } else if (gradeId !== null) {
      grades = grades.where('g.id', '=', gradeId);
    }
    return grades;
  }

  classesUnjoined() {
    return this.db.selectFrom('class as c').where('c.school_id', '=', this.schoolId).where(this.#inRange());
  }

  classes() {
    return this.classesUnjoined().innerJoin('grade as g', (join) =>
      join.onRef('g.school_id', '=', 'c.school_id').onRef('g.id', '=', 'c.grade_id'),
    );
  }

  students() {
    return this.db
      .selectFrom('student as s')
      .innerJoin('class as c', (join) =>
        join.onRef('c.school_id', '=', 's.school_id').onRef('c.id', '=', 's.class_id'),
      )
      .innerJoin('grade as g', (join) =>
        join.onRef('g.school_id', '=', 'c.school_id').onRef('g.id', '=', 'c.grade_id'),
      )
      .where('s.school_id', '=', this.schoolId)
      .where(this.#inRange());
  }

  #inRange(): RawBuilder<boolean> {
    const { gradeId, classId } = this.range;
    if (classId !== null) return sql`c.id = ${classId}`;
    return gradeId === null ? sql`true` : sql`c.grade_id = ${gradeId}`;
  }

  /** Builds `FROM` and `WHERE` as text for the busiest lists, because Kysely is slower (docs/decisions/0014). */
  fromClasses(conditions: Conditions, joined = sql``) {
    return sql`FROM class c ${joined}
      WHERE c.school_id = ${this.schoolId} AND ${this.#inRange()} ${andAll(conditions)}`;
  }

  fromStudents(conditions: Conditions, joined = sql``) {
    return sql`FROM student s ${classAndGrade} ${joined}
      WHERE s.school_id = ${this.schoolId} AND ${this.#inRange()} ${andAll(conditions)}`;
  }

  /** Works like `fromStudents` without class and grade, for queries that join them later. Conditions use only `s`. */
  fromStudentsUnjoined(conditions: Conditions) {
    const isWhole = this.range.gradeId === null && this.range.classId === null;
    const own = isWhole ? undefined : sql`s.class_id IN (SELECT c.id ${this.fromClasses([])})`;
    return sql`FROM student s WHERE s.school_id = ${this.schoolId} ${andAll([own, ...conditions])}`;
  }

  /** Selects live records (current term, not revoked), revoked ones, or all of one closed term. */
  fromRecords(which: 'live' | 'revoked' | { readonly termId: number }, conditions: Conditions) {
    const own =
      which === 'live'
        ? // A literal, because with a parameter a prepared plan would not use the index of live records.
          sql`r.live AND ${this.#inRange()}`
        : which === 'revoked'
          ? sql`r.revoked_at IS NOT NULL AND ${this.#inRange()}`
          : sql`r.term_id = ${which.termId}
              AND EXISTS (${this.terms().where('m.id', '=', which.termId).select('m.id')})`;
    return sql`FROM score_record r
      JOIN student s ON s.school_id = r.school_id AND s.id = r.student_id ${classAndGrade}
      WHERE r.school_id = ${this.schoolId} AND ${own} ${andAll(conditions)}`;
  }

  liveRecords() {
    const records = this.db
      .selectFrom('score_record as r')
      .where('r.school_id', '=', this.schoolId)
      .where(sql<boolean>`r.live`);
    if (this.range.classId === null && this.range.gradeId === null) return records;
    return records.where('r.student_id', 'in', this.students().select('s.id'));
  }

  /** Selects records in the whole school, also revoked ones and those of closed terms. The caller checks the range. */
  storedRecords(ids: readonly number[]) {
    return this.db
      .selectFrom('score_record as r')
      .where('r.school_id', '=', this.schoolId)
      .where('r.id', '=', anyOf(ids));
  }

  /** Selects school-wide templates and those of classes in the range; none if the range's grade or class is deleted. */
  templates() {
    const templates = this.db.selectFrom('template as t').where('t.school_id', '=', this.schoolId);
    if (this.range.classId === null && this.range.gradeId === null) return templates;
    return templates
      .where((is) => is.exists(this.grades().select('g.id')))
      .where((is) =>
        is.or([is('t.class_id', 'is', null), is('t.class_id', 'in', this.classesUnjoined().select('c.id'))]),
      );
  }

  seats() {
    const seats = this.db
      .selectFrom('seat as p')
      .leftJoin('student as s', (join) =>
        join.onRef('s.school_id', '=', 'p.school_id').onRef('s.id', '=', 'p.student_id'),
      )
      .where('p.school_id', '=', this.schoolId);
    if (this.range.classId === null && this.range.gradeId === null) return seats;
    return seats.where('p.class_id', 'in', this.classesUnjoined().select('c.id'));
  }

  /** Selects closed terms of classes in the range. Terms of deleted classes are only in the range of a school. */
  terms() {
    const terms = this.db.selectFrom('term as m').where('m.school_id', '=', this.schoolId);
    if (this.range.classId === null && this.range.gradeId === null) return terms;
    return terms.where('m.class_id', 'in', this.classesUnjoined().select('c.id'));
  }

  /** Selects import runs of the whole school. The caller decides whose runs an administrator can see. */
  imports() {
    return this.db.selectFrom('import_run as i').where('i.school_id', '=', this.schoolId);
  }

  importRows(importId: number) {
    return this.db
      .selectFrom('import_row as w')
      .where('w.school_id', '=', this.schoolId)
      .where('w.import_id', '=', importId);
  }

  importEffects() {
    return this.students().innerJoin('import_effect as e', (join) =>
      join.onRef('e.school_id', '=', 's.school_id').onRef('e.student_id', '=', 's.id'),
    );
  }
}
