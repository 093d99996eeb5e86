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
import { SchoolReads } from './school-reads.ts';

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

/** A class as of its lock. */
export interface LockedClass {
  readonly archived: boolean;
}

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
export class SchoolData extends SchoolReads {
  #timeZone: string | undefined;

  /** @param timeZone that of the school, where it is known already */
  constructor(db: Queryable, range: Range, timeZone?: string) {
    super(db, range);
    this.#timeZone = timeZone;
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
    return inTransaction(this.db, (tx) => work(this.through(tx), tx));
  }

  /** Tells that what decides about credentials of the school changes in this transaction; see `tellOfAccessChange`. */
  tellOfAccessChange(): Promise<void> {
    return tellOfAccessChange(this.db, { schoolId: this.schoolId });
  }

  /** The whole school: only to find out whether something exists outside the range. */
  wholeSchool(): SchoolData {
    return new SchoolData(this.db, { schoolId: this.schoolId, gradeId: null, classId: null }, this.#timeZone);
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
      this.db.selectFrom('student').where('school_id', '=', this.schoolId).select('id') as StudentLock,
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
    return this.db.insertInto(table);
  }

  updateGrade(id: number) {
    return this.db.updateTable('grade').where('school_id', '=', this.schoolId).where('id', '=', id);
  }

  updateClass(id: number) {
    return this.db.updateTable('class').where('school_id', '=', this.schoolId).where('id', '=', id);
  }

  updateStudent(id: number) {
    return this.db.updateTable('student').where('school_id', '=', this.schoolId).where('id', '=', id);
  }

  updateTemplate(id: number) {
    return this.db.updateTable('template').where('school_id', '=', this.schoolId).where('id', '=', id);
  }

  updateRecords(ids: readonly number[]) {
    return this.db
      .updateTable('score_record')
      .where('school_id', '=', this.schoolId)
      .where(sql<boolean>`id = ANY(${ids}::bigint[])`);
  }

  /** Root of a delete inside the school. */
  deleteFrom<T extends SchoolTable>(table: T) {
    return this.db
      .deleteFrom(table as 'grade')
      .where('school_id', '=', this.schoolId) as unknown as DeleteQueryBuilder<Tables, T, DeleteResult>;
  }

  /** Runs a statement that a builder cannot express; it names `schoolId` itself, as a parameter. */
  async execute<Row>(statement: RawBuilder<Row>): Promise<Row[]> {
    return (await statement.execute(this.db)).rows;
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
    return list.read(this.db, shape, all, (columns, named) => {
      const { ofSchool, ofGrade = null, ofClass = null } = named;
      const range = { schoolId: ofSchool, gradeId: ofGrade, classId: ofClass };
      return build(new SchoolData(this.db, range), columns, named);
    });
  }

  /** Runs a statement that is text, with its parameters; it names `schoolId` itself, as one of them. */
  async run<Row>(text: string, values: readonly unknown[]): Promise<Row[]> {
    return (await this.db.executeQuery<Row>(CompiledQuery.raw(text, [...values]))).rows;
  }
}
