import {
  CompiledQuery,
  type DeleteQueryBuilder,
  type DeleteResult,
  type RawBuilder,
  type SelectQueryBuilder,
  sql,
} from 'kysely';
import type { Static, TObject } from 'typebox';
import type { Queryable, Transaction } from '../database/connect.ts';
import type { Given, JsonList } from '../database/shared-reads/json-list.ts';
import type { JsonPage } from '../database/shared-reads/page-query.ts';
import type { Tables } from '../database/tables.ts';
import { inTransaction } from '../database/transaction.ts';
import { tellOfAccessChange } from './access-changes.ts';
import type { Range } from './range.ts';

type SchoolTable =
  | 'grade'
  | 'class'
  | 'student'
  | 'student_session'
  | 'sign_in_code'
  | 'student_event'
  | 'score_record'
  | 'template'
  | 'seat'
  | 'team'
  | 'team_member'
  | 'team_record'
  | 'term'
  | 'term_standing'
  | 'promotion_class';
/** What narrows a statement that is written as text; what is undefined does not. */
export type Conditions = readonly (RawBuilder<unknown> | undefined)[];

/** A class as of its lock. */
export interface LockedClass {
  readonly archived: boolean;
}

/** The conditions as they follow after another one. */
export const and = (conditions: Conditions) => {
  const given = conditions.filter((condition) => condition !== undefined);
  return given.length === 0 ? sql`` : sql`AND ${sql.join(given, sql` AND `)}`;
};

const classAndGrade = sql`
  JOIN class c ON c.school_id = s.school_id AND c.id = s.class_id
  JOIN grade g ON g.school_id = c.school_id AND g.id = c.grade_id`;

/** Who a student is, and in which class and grade: fields of the contract in the terms of the roots below. */
export const whoAndWhere = {
  username: sql`s.username`,
  actualName: sql`s.actual_name`,
  classId: sql`c.id`,
  className: sql`c.name`,
  gradeId: sql`g.id`,
  gradeName: sql`g.name`,
} as const;

type StudentLock = SelectQueryBuilder<Tables, 'student', { id: number }>;

/**
 * The data of one school as far as a range reaches. The rules about grades, classes, students, records and
 * templates start from here: a read root is already narrowed to the range, a root of an update or a delete to
 * the school, so that neither can be forgotten. Rows to insert and other statements for `execute` carry
 * `schoolId` themselves. What a write touches is looked up and checked first (see targets.ts).
 *
 * Elsewhere are the statements of the ledger and of idempotency keys, which take the school as a parameter, what
 * goes over all schools (verify, retention) and what belongs to the installation (schools, administrators,
 * credentials).
 *
 * Aliases in the roots: `s` student, `c` class, `g` grade, `r` score record, `t` template,
 * `m` term, `p` seat, `i` import, `e` what it did.
 */
export class SchoolData {
  readonly range: Range;
  readonly #db: Queryable;
  #timeZone: string | undefined;

  /** @param timeZone that of the school, where it is known already */
  constructor(db: Queryable, range: Range, timeZone?: string) {
    this.#db = db;
    this.range = range;
    this.#timeZone = timeZone;
  }

  get schoolId(): number {
    return this.range.schoolId;
  }

  /** The same range seen through another connection, such as a transaction. */
  through(db: Queryable): SchoolData {
    return new SchoolData(db, this.range);
  }

  /**
   * Does a piece of work in a transaction, which sees the same range; see `inTransaction`. Not inside another one.
   *
   * @param work gets the data through the transaction, and the transaction for what belongs to no school
   */
  transaction<T>(work: (own: SchoolData, tx: Transaction) => Promise<T>): Promise<T> {
    return inTransaction(this.#db, (tx) => work(this.through(tx), tx));
  }

  /** Tells that what decides about credentials of the school changes in this transaction; see `tellOfAccessChange`. */
  tellOfAccessChange(): Promise<void> {
    return tellOfAccessChange(this.#db, { schoolId: this.schoolId });
  }

  /** The whole school: only to find out whether something exists outside the range. */
  wholeSchool(): SchoolData {
    return new SchoolData(
      this.#db,
      { schoolId: this.schoolId, gradeId: null, classId: null },
      this.#timeZone,
    );
  }

  /** The time zone whose days are those of the school, as of this call: for reading. */
  async timeZone(): Promise<string> {
    this.#timeZone ??= await this.timeZoneNow();
    return this.#timeZone;
  }

  /**
   * The same as it is now. Under the lock of a class it stays so until the transaction ends (see `changeTimeZone`), and
   * whoever moves sums of days asks for it there.
   */
  async timeZoneNow(): Promise<string> {
    const [school] = await this.execute(
      sql<{ timeZone: string }>`SELECT time_zone AS "timeZone" FROM school WHERE id = ${this.schoolId}`,
    );
    return school?.timeZone ?? 'UTC';
  }

  /** Grades in the range; for a class, the one that it is in. */
  grades() {
    const { gradeId, classId } = this.range;
    let grades = this.#db.selectFrom('grade as g').where('g.school_id', '=', this.schoolId);
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

  /** Classes in the range, without their grade: for counts and sums. */
  classTotals() {
    return this.#db.selectFrom('class as c').where('c.school_id', '=', this.schoolId).where(this.#inRange());
  }

  /** Classes in the range with their grade. */
  classes() {
    return this.classTotals().innerJoin('grade as g', (join) =>
      join.onRef('g.school_id', '=', 'c.school_id').onRef('g.id', '=', 'c.grade_id'),
    );
  }

  /** Students in the range with class and grade. */
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

  /** Whether a class `c`, and whoever is in it, lies in the range. */
  #inRange(): RawBuilder<boolean> {
    const { gradeId, classId } = this.range;
    if (classId !== null) return sql`c.id = ${classId}`;
    return gradeId === null ? sql`true` : sql`c.grade_id = ${gradeId}`;
  }

  /**
   * `FROM` and `WHERE` of the classes in the range. This and the next two are for the lists and sums that are asked for
   * most: their statements are written as text, which is quicker to put together than by Kysely (decision 14).
   *
   * @param joined what else is joined
   */
  fromClasses(conditions: Conditions, joined = sql``) {
    return sql`FROM class c ${joined}
      WHERE c.school_id = ${this.schoolId} AND ${this.#inRange()} ${and(conditions)}`;
  }

  /** The same of the students in the range, with class and grade. */
  fromStudents(conditions: Conditions, joined = sql``) {
    return sql`FROM student s ${classAndGrade} ${joined}
      WHERE s.school_id = ${this.schoolId} AND ${this.#inRange()} ${and(conditions)}`;
  }

  /** The same by themselves, for what is found before class and grade are joined to it; of `s` alone. */
  fromStudentsAlone(conditions: Conditions) {
    const isWhole = this.range.gradeId === null && this.range.classId === null;
    const own = isWhole ? undefined : sql`s.class_id IN (SELECT c.id ${this.fromClasses([])})`;
    return sql`FROM student s WHERE s.school_id = ${this.schoolId} ${and([own, ...conditions])}`;
  }

  /**
   * The same of score records, with student, class and grade of today: those of the students in the range that are live
   * or revoked, or all of one closed term. There the term decides: the records stay with the term of a class when a
   * student leaves that class.
   */
  fromRecords(which: 'live' | 'revoked' | { readonly termId: number }, conditions: Conditions) {
    const own =
      which === 'live'
        ? // Written out, not a parameter: only so does a prepared plan use the index of live records.
          sql`r.live AND ${this.#inRange()}`
        : which === 'revoked'
          ? sql`r.revoked_at IS NOT NULL AND ${this.#inRange()}`
          : sql`r.term_id = ${which.termId}
              AND EXISTS (${this.terms().where('m.id', '=', which.termId).select('m.id')})`;
    return sql`FROM score_record r
      JOIN student s ON s.school_id = r.school_id AND s.id = r.student_id ${classAndGrade}
      WHERE r.school_id = ${this.schoolId} AND ${own} ${and(conditions)}`;
  }

  /** Live score records of the students in the range, by themselves: for sums. */
  recordsAlone() {
    const records = this.#db
      .selectFrom('score_record as r')
      .where('r.school_id', '=', this.schoolId)
      .where(sql<boolean>`r.live`);
    if (this.range.classId === null && this.range.gradeId === null) return records;
    return records.where('r.student_id', 'in', this.students().select('s.id'));
  }

  /** Some records by their ids, by themselves, live or not, anywhere in the school. */
  storedRecords(ids: readonly number[]) {
    return this.#db
      .selectFrom('score_record as r')
      .where('r.school_id', '=', this.schoolId)
      .where(sql<boolean>`r.id = ANY(${ids}::bigint[])`);
  }

  /**
   * Templates that the range may use: the school-wide ones and those of its classes. None, not even a school-wide
   * one, once the grade or class of the range is deleted.
   */
  templates() {
    const templates = this.#db.selectFrom('template as t').where('t.school_id', '=', this.schoolId);
    if (this.range.classId === null && this.range.gradeId === null) return templates;
    return templates
      .where((is) => is.exists(this.grades().select('g.id')))
      .where((is) =>
        is.or([is('t.class_id', 'is', null), is('t.class_id', 'in', this.classTotals().select('c.id'))]),
      );
  }

  /** Seats of the classes in the range, with who sits there. */
  seats() {
    const seats = this.#db
      .selectFrom('seat as p')
      .leftJoin('student as s', (join) =>
        join.onRef('s.school_id', '=', 'p.school_id').onRef('s.id', '=', 'p.student_id'),
      )
      .where('p.school_id', '=', this.schoolId);
    if (this.range.classId === null && this.range.gradeId === null) return seats;
    return seats.where('p.class_id', 'in', this.classTotals().select('c.id'));
  }

  /** Closed terms of the classes in the range; one whose class is deleted belongs to the school as a whole. */
  terms() {
    const terms = this.#db.selectFrom('term as m').where('m.school_id', '=', this.schoolId);
    if (this.range.classId === null && this.range.gradeId === null) return terms;
    return terms.where('m.class_id', 'in', this.classTotals().select('c.id'));
  }

  /** Runs of imports of the school; who sees which, their rule decides. */
  imports() {
    return this.#db.selectFrom('import_run as i').where('i.school_id', '=', this.schoolId);
  }

  /** What they did to the students in the range. */
  importEffects() {
    return this.students().innerJoin('import_effect as e', (join) =>
      join.onRef('e.school_id', '=', 's.school_id').onRef('e.student_id', '=', 's.id'),
    );
  }

  /**
   * Keeps the school from being deleted until the transaction ends; locked before everything else, as in its deletion.
   *
   * @returns whether the school is there
   */
  async keepSchool(): Promise<boolean> {
    const found = await this.execute(sql`SELECT 1 FROM school WHERE id = ${this.schoolId} FOR KEY SHARE`);
    return found.length > 0;
  }

  /** The same for whoever changes what all of the school shares: not while `lockSchool` has it. */
  async shareSchool(): Promise<boolean> {
    const found = await this.execute(sql`SELECT 1 FROM school WHERE id = ${this.schoolId} FOR SHARE`);
    return found.length > 0;
  }

  /** Keeps what all of the school shares as it is until the transaction ends; locked before everything else. */
  async lockSchool(): Promise<void> {
    await this.execute(sql`SELECT 1 FROM school WHERE id = ${this.schoolId} FOR NO KEY UPDATE`);
  }

  /** Keeps a grade, if it is there, from being deleted until the transaction ends. */
  async keepGrade(id: number): Promise<void> {
    await this.execute(
      sql`SELECT 1 FROM grade WHERE school_id = ${this.schoolId} AND id = ${id} FOR KEY SHARE`,
    );
  }

  /**
   * Locks students of the school in the order of their ids. Every transaction that changes totals locks students
   * first and classes second, each in the order of their ids, so that no two can wait for each other.
   */
  async lockStudents(narrow: (students: StudentLock) => StudentLock): Promise<number[]> {
    const rows = await narrow(
      this.#db.selectFrom('student').where('school_id', '=', this.schoolId).select('id') as StudentLock,
    )
      .orderBy('id')
      .forNoKeyUpdate()
      .execute();
    return rows.map((row) => row.id);
  }

  /**
   * Locks classes of the school in the order of their ids, and tells which of them lie in the range. Whoever writes to one asks
   * whether that may be (archived.ts).
   */
  async lockClasses(ids: readonly number[]): Promise<Map<number, LockedClass>> {
    const rows = await this.classTotals()
      .where(sql<boolean>`c.id = ANY(${ids}::bigint[])`)
      .select(['c.id', 'c.archived'])
      .orderBy('c.id')
      .forNoKeyUpdate('c')
      .execute();
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** Root of an insert; the caller puts `schoolId` into the rows. */
  insertInto<T extends SchoolTable>(table: T) {
    return this.#db.insertInto(table);
  }

  updateGrade(id: number) {
    return this.#db.updateTable('grade').where('school_id', '=', this.schoolId).where('id', '=', id);
  }

  updateClass(id: number) {
    return this.#db.updateTable('class').where('school_id', '=', this.schoolId).where('id', '=', id);
  }

  updateStudent(id: number) {
    return this.#db.updateTable('student').where('school_id', '=', this.schoolId).where('id', '=', id);
  }

  updateTemplate(id: number) {
    return this.#db.updateTable('template').where('school_id', '=', this.schoolId).where('id', '=', id);
  }

  updateRecords(ids: readonly number[]) {
    return this.#db
      .updateTable('score_record')
      .where('school_id', '=', this.schoolId)
      .where(sql<boolean>`id = ANY(${ids}::bigint[])`);
  }

  /** Root of a delete inside the school. */
  deleteFrom<T extends SchoolTable>(table: T) {
    return this.#db
      .deleteFrom(table as 'grade')
      .where('school_id', '=', this.schoolId) as unknown as DeleteQueryBuilder<Tables, T, DeleteResult>;
  }

  /** Runs a statement that a builder cannot express; it names `schoolId` itself, as a parameter. */
  async execute<Row>(statement: RawBuilder<Row>): Promise<Row[]> {
    return (await statement.execute(this.#db)).rows;
  }

  /**
   * Reads a page of a list as JSON, in one statement on a connection that is shared: for what is known to be quick.
   *
   * @param shape all that makes the statement another one beside the range and which values are given
   * @param build makes the statement of the range that it is called with
   */
  readPage<S extends TObject, G extends Given>(
    list: JsonList<S>,
    shape: string,
    given: G,
    build: (data: SchoolData, columns: RawBuilder<unknown>, given: G) => RawBuilder<unknown>,
  ): Promise<JsonPage<Static<S>>> {
    const { schoolId, gradeId, classId } = this.range;
    const all = {
      ...given,
      ofSchool: schoolId,
      ofGrade: gradeId ?? undefined,
      ofClass: classId ?? undefined,
    };
    return list.read(this.#db, shape, all, (columns, named) => {
      const { ofSchool, ofGrade = null, ofClass = null } = named;
      const range = { schoolId: ofSchool, gradeId: ofGrade, classId: ofClass };
      return build(new SchoolData(this.#db, range), columns, named);
    });
  }

  /** Runs a statement that is text, with its parameters; it names `schoolId` itself, as one of them. */
  async run<Row>(text: string, values: readonly unknown[]): Promise<Row[]> {
    return (await this.#db.executeQuery<Row>(CompiledQuery.raw(text, [...values]))).rows;
  }
}
