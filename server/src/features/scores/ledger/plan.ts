import type { Student } from '@classledger/contract';
import { archivedRefusal } from '../../../access/archived.ts';
import { covers, type Range } from '../../../access/range.ts';
import { AppError, studentErased } from '../../../app-error.ts';
import type { KeyClaim, Replayed } from '../../../idempotency/idempotency-keys.ts';
import { TotalsMove } from './totals-move.ts';

/** What score writes do, worked out without a database; how totals move by it says totals-move.ts. */

/** Who gives points or takes them back: a credential or an administrator. */
export interface Author {
  readonly tokenId: number | null;
  readonly adminId: number | null;
}

/** Points for one student, named in one or several ways. An entry that already failed is carried along. */
export interface LedgerEntry {
  readonly studentId: number | null;
  readonly username: string | null;
  readonly externalId: string | null;
  readonly cardNumber: string | null;
  readonly change: number;
  readonly description: string;
  /** What staff say about it; null: nothing. */
  readonly note: string | null;
  /** UTC ISO text with milliseconds; null: now. */
  readonly occurredAt: string | null;
  readonly fault: AppError | null;
}

interface FailedEntry {
  readonly fault: AppError;
  readonly studentId: number | null;
  readonly username: string | null;
  readonly change: number | null;
  readonly recordId: null;
}

interface WrittenEntry {
  readonly fault: null;
  readonly studentId: number;
  readonly username: string;
  readonly change: number;
  readonly recordId: number;
}

/** What became of an entry. */
export type EntryOutcome = FailedEntry | WrittenEntry;

/** Students by their ids, with the totals that the write leaves them; empty unless `tellsStudents`. */
export type WrittenStudents = ReadonlyMap<number, Student>;

/** A request to give points. */
export interface ScoreWrite<T = unknown> {
  readonly range: Range;
  readonly author: Author;
  readonly at: Date;
  readonly entries: readonly LedgerEntry[];
  /** Under which it has its effect once: it is claimed, and the answer stored, in the transaction of the write. */
  readonly key: KeyClaim | null;
  /** Whether an entry that fails refuses the whole write, with the entry's fault. */
  readonly allOrNothing?: boolean;
  /** Whether the answer tells where the students stand after the write. */
  readonly tellsStudents?: boolean;
  /** Makes the answer when everything is written, before it is committed. Throwing undoes the write. */
  readonly answer: (outcomes: readonly EntryOutcome[], students: WrittenStudents) => T;
}

/** A student as of the lock. */
export interface LockedStudent {
  readonly id: number;
  readonly username: string;
  /** Read where an entry names somebody by one of them. */
  readonly externalId?: string | null;
  readonly cardNumber?: string | null;
  readonly classId: number;
  readonly gradeId: number | null;
  /** Whether its class is. */
  readonly archived: boolean;
  /** Nothing is written about a pseudonym: a reason would speak of the person again. */
  readonly erased: boolean;
}

/** A record that is to be written. */
export interface NewRecord {
  readonly student: LockedStudent;
  readonly change: number;
  readonly description: string;
  readonly note: string | null;
  readonly author: Author;
  /** UTC ISO text with milliseconds, like the next; null: the same as that. */
  readonly occurredAt: string | null;
  readonly createdAt: string;
}

/** One write of a transaction: settled already, or with what becomes of each of its entries. */
interface PlannedWrite<W extends ScoreWrite> {
  readonly write: W;
  readonly settled: Result | null;
  readonly entries: readonly (FailedEntry | NewRecord)[];
}

/** How a write ended: done in this transaction, or with the answer of the request that used its key first. */
export type Result =
  | { readonly kind: 'done'; readonly answer: unknown }
  | { readonly kind: 'replayed'; readonly answer: Replayed }
  | { readonly kind: 'refused'; readonly error: AppError };

/** A write and how it ended. */
export interface SettledWrite<W extends ScoreWrite> {
  readonly write: W;
  readonly result: Result;
}

/** What the writes of one transaction do together. */
export interface Plan<W extends ScoreWrite> {
  readonly writes: readonly PlannedWrite<W>[];
  /** Of all writes, in their order. */
  readonly records: readonly NewRecord[];
  readonly totals: TotalsMove;
  /** Where the students that answers tell of stand after it; of all writes, because they are committed together. */
  readonly standings: ReadonlyMap<number, Student>;
}

/**
 * What the writes of one transaction need: students to lock, with their classes, by id and by name; students to read;
 * keys to claim. Transactions that have none of these in common, nor a class, do not wait for each other.
 */
export interface Needs {
  readonly ids: readonly number[];
  readonly usernames: readonly string[];
  readonly externalIds: readonly string[];
  readonly cardNumbers: readonly string[];
  /** Whether the terms of the classes decide, too. */
  readonly terms: boolean;
  readonly told: readonly number[];
  readonly keys: readonly KeyClaim[];
}

export function needsOf(writes: readonly ScoreWrite[]): Needs {
  const ids = new Set<number>();
  const usernames = new Set<string>();
  const externalIds = new Set<string>();
  const cardNumbers = new Set<string>();
  let terms = false;
  const told = new Set<number>();
  for (const { entries, tellsStudents } of writes) {
    for (const { fault, studentId, username, externalId, cardNumber, occurredAt } of entries) {
      if (fault) continue;
      if (occurredAt !== null) terms = true;
      if (externalId !== null) externalIds.add(externalId);
      if (cardNumber !== null) cardNumbers.add(cardNumber);
      if (studentId !== null) {
        ids.add(studentId);
        if (tellsStudents) told.add(studentId);
      } else if (username !== null) usernames.add(username);
    }
  }
  return {
    ids: [...ids],
    usernames: [...usernames],
    externalIds: [...externalIds],
    cardNumbers: [...cardNumbers],
    terms,
    told: [...told],
    keys: writes.flatMap(({ key }) => key ?? []),
  };
}

/** What a transaction has found and locked for its writes. */
export interface Found {
  readonly students: readonly LockedStudent[];
  /** Since when the classes of these students are in their term, as UTC ISO text; empty where no entry needs it. */
  readonly termStarts: ReadonlyMap<number, string>;
  /** The day of the school on which each instant lies at which something is written, both as text. */
  readonly days: ReadonlyMap<string, string>;
  /** Those to be told of, as they are before the writes. */
  readonly told: readonly Student[];
  /** For each claimed key that is not new: the answer that it was given before, or why it is refused. */
  readonly earlier: ReadonlyMap<KeyClaim, Replayed | AppError>;
}

/** Works out what writes of one school do. Each is judged by itself; all of them move the totals together. */
export function planWrites<W extends ScoreWrite>(writes: readonly W[], found: Found): Plan<W> {
  const byId = new Map(found.students.map((student) => [student.id, student]));
  const byUsername = new Map(found.students.map((student) => [student.username, student]));
  const others = found.students.filter(({ externalId, cardNumber }) => externalId || cardNumber);
  const byExternalId = new Map(others.map((student) => [student.externalId, student]));
  const byCardNumber = new Map(others.map((student) => [student.cardNumber, student]));
  const studentOf = ({ studentId, username, externalId, cardNumber }: LedgerEntry) => {
    if (studentId !== null) return byId.get(studentId);
    if (username !== null) return byUsername.get(username);
    return externalId !== null ? byExternalId.get(externalId) : byCardNumber.get(cardNumber);
  };

  const planned = writes.map((write): PlannedWrite<W> => {
    const earlier = write.key && found.earlier.get(write.key);
    if (earlier instanceof AppError)
      return { write, settled: { kind: 'refused', error: earlier }, entries: [] };
    if (earlier) return { write, settled: { kind: 'replayed', answer: earlier }, entries: [] };
    const createdAt = write.at.toISOString();
    const entries = write.entries.map((entry): FailedEntry | NewRecord => {
      const judged = judge(entry, studentOf(entry), write.range, found.termStarts);
      if (judged instanceof AppError) return failed(entry, judged);
      const { change, description, note, occurredAt } = entry;
      return { student: judged, change, description, note, author: write.author, occurredAt, createdAt };
    });
    const fault = write.allOrNothing ? entries.find((entry) => 'fault' in entry)?.fault : undefined;
    if (fault) return { write, settled: { kind: 'refused', error: fault }, entries: [] };
    return { write, settled: null, entries };
  });

  const records = planned.flatMap(({ entries }) => entries.filter((entry) => 'student' in entry));
  const totals = new TotalsMove('in');
  for (const { student, change, createdAt } of records) {
    const day = found.days.get(createdAt);
    if (day === undefined) throw new Error(`It is not known on which day ${createdAt} lies`);
    totals.record(student, change, day);
  }
  const standings = new Map(found.told.map((student) => [student.id, totals.appliedTo(student)]));
  return { writes: planned, records, totals, standings };
}

/** The student that an entry is for, or why there is none. */
function judge(
  entry: LedgerEntry,
  student: LockedStudent | undefined,
  range: Range,
  termStarts: Found['termStarts'],
): LockedStudent | AppError {
  const { fault, occurredAt } = entry;
  if (fault) return fault;
  if (!student) return new AppError('not_found', 'The student was not found');
  if (!covers(range, { schoolId: range.schoolId, gradeId: student.gradeId, classId: student.classId })) {
    return new AppError('out_of_range', 'The student is outside your range');
  }
  if (student.archived) return archivedRefusal('The student');
  if (student.erased) return studentErased();
  const other = otherNameIn(entry, student);
  if (other) return new AppError('invalid_value', `${other} name different students`);
  const termStart = occurredAt === null ? undefined : termStarts.get(student.classId);
  if (occurredAt !== null && termStart !== undefined && occurredAt < termStart) {
    return new AppError(
      'invalid_value',
      `occurredAt lies before the current term, which began at ${termStart}`,
    );
  }
  return student;
}

/** What an entry names somebody else by than the student that it means, in words; null where there is none. */
function otherNameIn(entry: LedgerEntry, student: LockedStudent): string | null {
  const { studentId, username, externalId, cardNumber } = entry;
  const first = studentId !== null ? 'userId' : username !== null ? 'username' : 'externalId';
  if (username !== null && student.username !== username) return `${first} and username`;
  if (externalId !== null && student.externalId !== externalId) return `${first} and externalId`;
  if (cardNumber !== null && student.cardNumber !== cardNumber) return `${first} and cardNumber`;
  return null;
}

const failed = ({ studentId, username, change }: LedgerEntry, fault: AppError): FailedEntry => ({
  fault,
  studentId,
  username,
  change: Number.isInteger(change) ? change : null,
  recordId: null,
});

/**
 * How each write of a plan ends once its records are written.
 *
 * @param recordIds the ids of `plan.records`, in their order
 */
export function settle<W extends ScoreWrite>(plan: Plan<W>, recordIds: readonly number[]): SettledWrite<W>[] {
  const ids = recordIds.values();
  return plan.writes.map(({ write, settled, entries }) => {
    if (settled) return { write, result: settled };
    const students = new Map<number, Student>();
    const outcomes = entries.map((entry): EntryOutcome => {
      if ('fault' in entry) return entry;
      const { id: studentId, username } = entry.student;
      const { value: recordId } = ids.next();
      if (recordId === undefined) throw new Error('Fewer records were written than planned');
      const standing = write.tellsStudents && plan.standings.get(studentId);
      if (standing) students.set(studentId, standing);
      return { fault: null, studentId, username, change: entry.change, recordId };
    });
    return { write, result: { kind: 'done', answer: write.answer(outcomes, students) } };
  });
}
