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
import { SchoolReads } from './school-reads.ts';

type SchoolTable = {
  [T in keyof Tables]: Tables[T] extends { readonly school_id: number | null } ? T : never;
}[keyof Tables];

export interface LockedClass {
  readonly archived: boolean;
}

type StudentLock = SelectQueryBuilder<Tables, 'student', { id: number }>;

/**
 * Reads and writes the data of one school. Limits reads to the range unless a comment says otherwise. Limits updates
 * and deletes only to the school, so callers first check that the target is in the range (targets.ts).
 * Aliases: `s` student, `c` class, `g` grade, `r` record, `t` template, `m` term, `p` seat, `i` import, `e` effect,
 * `w` row of an import.
 */
export class SchoolData extends SchoolReads {
  #timeZone: string | undefined;

  constructor(db: Queryable, range: Range, timeZone?: string) {
    super(db, range);
    this.#timeZone = timeZone;
  }

  /** Returns an object for the same range on another connection, such as a transaction. */
  withConnection(db: Queryable): SchoolData {
    return new SchoolData(db, this.range);
  }

  /** Runs work in a transaction with the same range; must not be nested. See `inTransaction`. */
  transaction<T>(work: (own: SchoolData, tx: Transaction) => Promise<T>): Promise<T> {
    return inTransaction(this.db, (tx) => work(this.withConnection(tx), tx));
  }

  /** Announces an access change of the whole school at the commit; see `announceAccessChange`. */
  announceAccessChange(): Promise<void> {
    return announceAccessChange(this.db, { schoolId: this.schoolId });
  }

  /** Returns an object for the whole school. The caller checks the range itself. */
  wholeSchool(): SchoolData {
    return new SchoolData(this.db, { schoolId: this.schoolId, gradeId: null, classId: null }, this.#timeZone);
  }

  /** Returns the school's time zone, which this object caches. For writes, see `readTimeZone`. */
  async timeZone(): Promise<string> {
    this.#timeZone ??= await this.readTimeZone();
    return this.#timeZone;
  }

  /** Reads the time zone. Before writing sums of days, call this after locking the class, which keeps the zone. */
  async readTimeZone(): Promise<string> {
    const school = await this.db
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

  /** Reads from any table, in the whole school. The caller checks the range. */
  selectFrom<T extends SchoolTable>(table: T) {
    const rows = this.db
      .selectFrom(table as 'grade')
      .where(`${table as 'grade'}.school_id`, '=', this.schoolId);
    return rows as unknown as SelectQueryBuilder<Tables, T, object>;
  }

  /** Starts an insert; the caller puts `schoolId` into the rows. */
  insertInto<T extends SchoolTable>(table: T) {
    return this.db.insertInto(table);
  }

  updateTable<T extends SchoolTable>(table: T) {
    const rows = this.db
      .updateTable(table as 'grade')
      .where(`${table as 'grade'}.school_id`, '=', this.schoolId);
    return rows as unknown as UpdateQueryBuilder<Tables, T, T, UpdateResult>;
  }

  deleteFrom<T extends SchoolTable>(table: T) {
    const rows = this.db
      .deleteFrom(table as 'grade')
      .where(`${table as 'grade'}.school_id`, '=', this.schoolId);
    return rows as unknown as DeleteQueryBuilder<Tables, T, DeleteResult>;
  }

  /** Runs a statement that a builder cannot express; it must contain `schoolId` as a parameter. */
  async execute<Row>(statement: RawBuilder<Row>): Promise<Row[]> {
    return (await statement.execute(this.db)).rows;
  }

  /** Reads a page as JSON in one quick statement on a shared connection. `shape` identifies the statement. */
  readPage<S extends TObject, G extends ListParameters>(
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

  /** Runs a statement given as text; its parameters must contain `schoolId`. */
  async run<Row>(text: string, values: readonly unknown[]): Promise<Row[]> {
    return (await this.db.executeQuery<Row>(CompiledQuery.raw(text, [...values]))).rows;
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
