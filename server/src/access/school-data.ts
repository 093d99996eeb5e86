import type { JsonPage } from '@classledger/json-pages';
import {
  CompiledQuery,
  type DeleteQueryBuilder,
  type DeleteResult,
  type RawBuilder,
  type SelectQueryBuilder,
  sql,
  type UpdateQueryBuilder,
  type UpdateResult,
} from 'kysely';
import type { Static, TObject } from 'typebox';
import type { Queryable, Transaction } from '../database/connect.ts';
import { anyOf } from '../database/expressions.ts';
import type { JsonList, ListParameters } from '../database/shared-reads/json-list.ts';
import type { Tables } from '../database/tables.ts';
import { inTransaction } from '../database/transaction.ts';
import { announceAccessChange } from './access-changes.ts';
import type { Range } from './range.ts';

type SchoolTable = {
  [T in keyof Tables]: Tables[T] extends { readonly school_id: number | null } ? T : never;
}[keyof Tables];

export interface LockedClass {
  readonly archived: boolean;
}

export type Conditions = readonly (RawBuilder<unknown> | undefined)[];

export const andAll = (conditions: Conditions) => {
  const given = conditions.filter((condition) => condition !== undefined);
  return given.length === 0 ? sql`` : sql`AND ${sql.join(given, sql` AND `)}`;
};

const classAndGrade = sql`
  JOIN class c ON c.school_id = s.school_id AND c.id = s.class_id
  JOIN grade g ON g.school_id = c.school_id AND g.id = c.grade_id`;

type StudentLock = SelectQueryBuilder<Tables, 'student', { id: number }>;

/**
 * Reads and writes the data of one school. Limits reads to the range unless a comment says otherwise. Limits updates
 * and deletes only to the school, so callers first check that the target is in the range (targets.ts).
 * Aliases: `s` student, `c` class, `g` grade, `r` record, `t` template, `k` category, `m` term, `p` seat, `i` import, `e` effect,
 * `w` row of an import.
 */
export class SchoolData {
  readonly range: Range;
  readonly #db: Queryable;
  #timeZone: string | undefined;

  constructor(db: Queryable, range: Range, timeZone?: string) {
    this.range = range;
    this.#db = db;
    this.#timeZone = timeZone;
  }

  get schoolId(): number {
    return this.range.schoolId;
  }

  get isWholeSchool(): boolean {
    return this.range.gradeId === null && this.range.classId === null;
  }

  /** Returns an object for the same range on another connection, such as a transaction. */
  withConnection(db: Queryable): SchoolData {
    return new SchoolData(db, this.range);
  }

  /** Runs work in a transaction with the same range; must not be nested. See `inTransaction`. */
  transaction<T>(work: (own: SchoolData, tx: Transaction) => Promise<T>): Promise<T> {
    return inTransaction(this.#db, (tx) => work(this.withConnection(tx), tx));
  }

  /** Announces an access change of the whole school at the commit; see `announceAccessChange`. */
  announceAccessChange(): Promise<void> {
    return announceAccessChange(this.#db, { schoolId: this.schoolId });
  }

  /** Returns an object for the whole school. The caller checks the range itself. */
  wholeSchool(): SchoolData {
    return new SchoolData(
      this.#db,
      { schoolId: this.schoolId, gradeId: null, classId: null },
      this.#timeZone,
    );
  }

  /** Returns an object for what the administrator manages, without the classes that they only teach. */
  managed(): SchoolData {
    const { schoolId, gradeId, classId } = this.range;
    return new SchoolData(this.#db, { schoolId, gradeId, classId }, this.#timeZone);
  }

  /** Returns the school's time zone, which this object caches. For writes, see `readTimeZone`. */
  async timeZone(): Promise<string> {
    this.#timeZone ??= await this.readTimeZone();
    return this.#timeZone;
  }

  /** Reads the time zone. Before writing sums of days, call this after locking the class, which keeps the zone. */
  async readTimeZone(): Promise<string> {
    const school = await this.#db
      .selectFrom('school')
      .where('id', '=', this.schoolId)
      .select('time_zone')
      .executeTakeFirst();
    return school?.time_zone ?? 'UTC';
  }

  /** Prevents deletion of the school. Take this lock before all others. Returns false when the school is gone. */
  async preventSchoolDeletion(): Promise<boolean> {
    const found = await this.execute(sql`SELECT 1 FROM school WHERE id = ${this.schoolId} FOR KEY SHARE`);
    return found.length > 0;
  }

  /** Locks the school for changes to school-wide data; waits for `lockSchool`. Returns false when it is gone. */
  async lockSchoolShared(): Promise<boolean> {
    const found = await this.execute(sql`SELECT 1 FROM school WHERE id = ${this.schoolId} FOR SHARE`);
    return found.length > 0;
  }

  /** Locks the school against `lockSchoolShared` and deletion. Take this lock before every other lock. */
  async lockSchool(): Promise<void> {
    await this.execute(sql`SELECT 1 FROM school WHERE id = ${this.schoolId} FOR NO KEY UPDATE`);
  }

  async preventGradeDeletion(id: number): Promise<void> {
    await this.execute(
      sql`SELECT 1 FROM grade WHERE school_id = ${this.schoolId} AND id = ${id} FOR KEY SHARE`,
    );
  }

  /** Locks students in the order of their ids. To avoid deadlocks, all transactions lock students before classes. */
  async lockStudents(narrow: (students: StudentLock) => StudentLock): Promise<number[]> {
    const rows = await narrow(this.selectFrom('student').select('id'))
      .orderBy('id')
      .forNoKeyUpdate()
      .execute();
    return rows.map((row) => row.id);
  }

  /** Locks the classes that are in the range, in the order of their ids. The caller checks `archived` (archived.ts). */
  async lockClasses(ids: readonly number[]): Promise<Map<number, LockedClass>> {
    const rows = await this.classesUnjoined()
      .where('c.id', '=', anyOf(ids))
      .select(['c.id', 'c.archived'])
      .orderBy('c.id')
      .forNoKeyUpdate('c')
      .execute();
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** Selects the grades in the range, with the grades of its classes. */
  grades() {
    const { gradeId, classId, taughtClassIds } = this.range;
    const grades = this.#db.selectFrom('grade as g').where('g.school_id', '=', this.schoolId);
    if (this.isWholeSchool) return grades;
    const ofClasses = this.classesUnjoined().select('c.grade_id');
    if (classId !== null) return grades.where('g.id', 'in', ofClasses);
    return grades.where((is) =>
      is.or([is('g.id', '=', gradeId), ...(taughtClassIds ? [is('g.id', 'in', ofClasses)] : [])]),
    );
  }

  classesUnjoined() {
    return this.#db.selectFrom('class as c').where('c.school_id', '=', this.schoolId).where(this.#inRange());
  }

  classes() {
    return this.classesUnjoined().innerJoin('grade as g', (join) =>
      join.onRef('g.school_id', '=', 'c.school_id').onRef('g.id', '=', 'c.grade_id'),
    );
  }

  students() {
    return this.#db
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
    const { gradeId, classId, taughtClassIds } = this.range;
    const managed =
      classId !== null
        ? sql<boolean>`c.id = ${classId}`
        : gradeId !== null
          ? sql<boolean>`c.grade_id = ${gradeId}`
          : sql<boolean>`true`;
    return taughtClassIds ? sql`(${managed} OR c.id = ${anyOf(taughtClassIds)})` : managed;
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
    const own = this.isWholeSchool ? undefined : sql`s.class_id IN (SELECT c.id ${this.fromClasses([])})`;
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
    const records = this.#db
      .selectFrom('score_record as r')
      .where('r.school_id', '=', this.schoolId)
      .where(sql<boolean>`r.live`);
    if (this.isWholeSchool) return records;
    return records.where('r.student_id', 'in', this.students().select('s.id'));
  }

  /** Selects records in the whole school, also revoked ones and those of closed terms. The caller checks the range. */
  storedRecords(ids: readonly number[]) {
    return this.#db
      .selectFrom('score_record as r')
      .where('r.school_id', '=', this.schoolId)
      .where('r.id', '=', anyOf(ids));
  }

  /** Selects school-wide templates and those of classes in the range; none if the range's grade or class is deleted. */
  templates() {
    const templates = this.#db.selectFrom('template as t').where('t.school_id', '=', this.schoolId);
    if (this.isWholeSchool) return templates;
    return templates
      .where((is) => is.exists(this.grades().select('g.id')))
      .where((is) =>
        is.or([is('t.class_id', 'is', null), is('t.class_id', 'in', this.classesUnjoined().select('c.id'))]),
      );
  }

  /** Selects the categories of the school; none if the range's grade or class is deleted. */
  categories() {
    const categories = this.#db.selectFrom('category as k').where('k.school_id', '=', this.schoolId);
    return this.isWholeSchool
      ? categories
      : categories.where((is) => is.exists(this.grades().select('g.id')));
  }

  seats() {
    const seats = this.#db
      .selectFrom('seat as p')
      .leftJoin('student as s', (join) =>
        join.onRef('s.school_id', '=', 'p.school_id').onRef('s.id', '=', 'p.student_id'),
      )
      .where('p.school_id', '=', this.schoolId);
    if (this.isWholeSchool) return seats;
    return seats.where('p.class_id', 'in', this.classesUnjoined().select('c.id'));
  }

  /** Selects closed terms of classes in the range. Terms of deleted classes are only in the range of a school. */
  terms() {
    const terms = this.#db.selectFrom('term as m').where('m.school_id', '=', this.schoolId);
    if (this.isWholeSchool) return terms;
    return terms.where('m.class_id', 'in', this.classesUnjoined().select('c.id'));
  }

  /** Selects import runs of the whole school. The caller decides whose runs an administrator can see. */
  imports() {
    return this.#db.selectFrom('import_run as i').where('i.school_id', '=', this.schoolId);
  }

  importRows(importId: number) {
    return this.#db
      .selectFrom('import_row as w')
      .where('w.school_id', '=', this.schoolId)
      .where('w.import_id', '=', importId);
  }

  importEffects() {
    return this.students().innerJoin('import_effect as e', (join) =>
      join.onRef('e.school_id', '=', 's.school_id').onRef('e.student_id', '=', 's.id'),
    );
  }

  /** Reads from any table, in the whole school. The caller checks the range. */
  selectFrom<T extends SchoolTable>(table: T) {
    const rows = this.#db
      .selectFrom(table as 'grade')
      .where(`${table as 'grade'}.school_id`, '=', this.schoolId);
    return rows as unknown as SelectQueryBuilder<Tables, T, object>;
  }

  /** Starts an insert; the caller puts `schoolId` into the rows. */
  insertInto<T extends SchoolTable>(table: T) {
    return this.#db.insertInto(table);
  }

  updateTable<T extends SchoolTable>(table: T) {
    const rows = this.#db
      .updateTable(table as 'grade')
      .where(`${table as 'grade'}.school_id`, '=', this.schoolId);
    return rows as unknown as UpdateQueryBuilder<Tables, T, T, UpdateResult>;
  }

  deleteFrom<T extends SchoolTable>(table: T) {
    const rows = this.#db
      .deleteFrom(table as 'grade')
      .where(`${table as 'grade'}.school_id`, '=', this.schoolId);
    return rows as unknown as DeleteQueryBuilder<Tables, T, DeleteResult>;
  }

  /** Runs a statement that a builder cannot express; it must contain `schoolId` as a parameter. */
  async execute<Row>(statement: RawBuilder<Row>): Promise<Row[]> {
    return (await statement.execute(this.#db)).rows;
  }

  /** Reads a page as JSON in one quick statement on a shared connection. `shape` identifies the statement. */
  readPage<S extends TObject, G extends ListParameters>(
    list: JsonList<S>,
    shape: string,
    given: G,
    build: (data: SchoolData, columns: RawBuilder<unknown>, given: G) => RawBuilder<unknown>,
  ): Promise<JsonPage<Static<S>>> {
    const { schoolId, gradeId, classId, taughtClassIds } = this.range;
    const all = {
      ...given,
      ofSchool: schoolId,
      ofGrade: gradeId ?? undefined,
      ofClass: classId ?? undefined,
      taught: taughtClassIds,
    };
    return list.read(this.#db, shape, all, (columns, named) => {
      const { ofSchool, ofGrade = null, ofClass = null, taught } = named;
      const range = {
        schoolId: ofSchool,
        gradeId: ofGrade,
        classId: ofClass,
        ...(taught && { taughtClassIds: taught }),
      };
      return build(new SchoolData(this.#db, range), columns, named);
    });
  }

  /** Runs a statement given as text; its parameters must contain `schoolId`. */
  async run<Row>(text: string, values: readonly unknown[]): Promise<Row[]> {
    return (await this.#db.executeQuery<Row>(CompiledQuery.raw(text, [...values]))).rows;
  }
}

/** Runs work in a transaction and rolls it back, so that a preview cannot differ from the real run. */
export async function runAndRollBack<T>(
  data: SchoolData,
  work: (own: SchoolData, tx: Transaction) => Promise<T>,
): Promise<T> {
  let answer: T | undefined;
  const undone = new Error('Only tried out');
  try {
    await data.transaction(async (own, tx) => {
      answer = await work(own, tx);
      throw undone;
    });
  } catch (error) {
    if (error !== undone) throw error;
  }
  return answer as T;
}
