import type { Student } from '@classledger/contract';
import { archivedError } from '../../../access/archived.ts';
import { covers, type Range } from '../../../access/range.ts';
import { AppError, studentErased, unusableCategory } from '../../../errors/app-error.ts';
import type { KeyClaim, ReplayedAnswer } from '../../../idempotency/idempotency-keys.ts';
import { TotalsDelta } from './totals-delta.ts';

/** Plans score writes without a database; totals-delta.ts does the arithmetic of totals. */

export interface Author {
  readonly tokenId: number | null;
  readonly adminId: number | null;
}

/** `fault` is set when the entry has already failed. */
export interface LedgerEntry {
  readonly studentId: number | null;
  readonly username: string | null;
  readonly externalId: string | null;
  readonly cardNumber: string | null;
  readonly change: number;
  readonly description: string;
  readonly note: string | null;
  readonly categoryId: number | null;
  /** UTC ISO text with milliseconds; null means now. */
  readonly occurredAt: string | null;
  readonly fault: AppError | null;
}

export const emptyEntry = {
  ...{ studentId: null, username: null, externalId: null, cardNumber: null },
  ...{ description: '', note: null, categoryId: null, occurredAt: null, fault: null },
};

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

export type EntryOutcome = FailedEntry | WrittenEntry;

/** Students by id, with their totals after the write; empty unless `includeStudents`. */
export type WrittenStudents = ReadonlyMap<number, Student>;

export interface ScoreWrite<T = unknown> {
  readonly range: Range;
  readonly author: Author;
  readonly at: Date;
  readonly entries: readonly LedgerEntry[];
  /** Makes the write idempotent: the transaction claims the key and stores the answer. */
  readonly key: KeyClaim | null;
  /** Fails the whole write with the fault of its first failed entry. */
  readonly allOrNothing?: boolean;
  readonly includeStudents?: boolean;
  /** Called before the commit to build the answer. If it throws, nothing of this write is stored. */
  readonly answer: (outcomes: readonly EntryOutcome[], students: WrittenStudents) => T;
}

export interface LockedStudent {
  readonly id: number;
  readonly username: string;
  /** Like `cardNumber`, read only when an entry uses an external id or a card number. */
  readonly externalId?: string | null;
  readonly cardNumber?: string | null;
  readonly classId: number;
  readonly gradeId: number | null;
  readonly archived: boolean;
  /** Erased students get no points, because a record's description could identify the person again. */
  readonly erased: boolean;
}

export interface NewRecord {
  readonly student: LockedStudent;
  readonly change: number;
  readonly description: string;
  readonly note: string | null;
  readonly categoryId: number | null;
  readonly author: Author;
  /** UTC ISO text with milliseconds, as is `createdAt`; null means the same as `createdAt`. */
  readonly occurredAt: string | null;
  readonly createdAt: string;
}

interface PlannedWrite<W extends ScoreWrite> {
  readonly write: W;
  readonly earlyResult: WriteResult | null;
  readonly entries: readonly (FailedEntry | NewRecord)[];
}

/** `replayed` carries the answer of the first request with the same key. */
export type WriteResult =
  | { readonly kind: 'done'; readonly answer: unknown }
  | { readonly kind: 'replayed'; readonly answer: ReplayedAnswer }
  | { readonly kind: 'refused'; readonly error: AppError };

export interface CompletedWrite<W extends ScoreWrite> {
  readonly write: W;
  readonly result: WriteResult;
}

export interface Plan<W extends ScoreWrite> {
  readonly writes: readonly PlannedWrite<W>[];
  readonly records: readonly NewRecord[];
  readonly totals: TotalsDelta;
  /** Totals after all writes of the transaction, which commit together. */
  readonly studentsAfter: ReadonlyMap<number, Student>;
}

/** The students to lock (with their classes), the students to read (`studentsToRead`) and the keys to claim. */
export interface BatchNeeds {
  readonly ids: readonly number[];
  readonly usernames: readonly string[];
  readonly externalIds: readonly string[];
  readonly cardNumbers: readonly string[];
  readonly terms: boolean;
  readonly categoryIds: readonly number[];
  readonly studentsToRead: readonly number[];
  readonly keys: readonly KeyClaim[];
}

export function collectNeeds(writes: readonly ScoreWrite[]): BatchNeeds {
  const ids = new Set<number>();
  const usernames = new Set<string>();
  const externalIds = new Set<string>();
  const cardNumbers = new Set<string>();
  let terms = false;
  const categoryIds = new Set<number>();
  const studentsToRead = new Set<number>();
  for (const { entries, includeStudents } of writes) {
    for (const { fault, studentId, username, externalId, cardNumber, occurredAt, categoryId } of entries) {
      if (fault) continue;
      if (occurredAt !== null) terms = true;
      if (categoryId !== null) categoryIds.add(categoryId);
      if (externalId !== null) externalIds.add(externalId);
      if (cardNumber !== null) cardNumbers.add(cardNumber);
      if (studentId !== null) {
        ids.add(studentId);
        if (includeStudents) studentsToRead.add(studentId);
      } else if (username !== null) usernames.add(username);
    }
  }
  return {
    ids: [...ids],
    usernames: [...usernames],
    externalIds: [...externalIds],
    cardNumbers: [...cardNumbers],
    terms,
    categoryIds: [...categoryIds],
    studentsToRead: [...studentsToRead],
    keys: writes.flatMap(({ key }) => key ?? []),
  };
}

export interface LedgerState {
  readonly students: readonly LockedStudent[];
  /** When the current term of each class began, as UTC ISO text; empty when no entry needs it. */
  readonly termStarts: ReadonlyMap<number, string>;
  /** The categories of the entries that exist and are not retired. */
  readonly usableCategories: ReadonlySet<number>;
  /** Maps the instant of each write to its day in the school's time zone, both as text. */
  readonly days: ReadonlyMap<string, string>;
  readonly studentsBefore: readonly Student[];
  /** For each claimed key that was used before: the stored answer, or the reason to refuse the key. */
  readonly storedAnswers: ReadonlyMap<KeyClaim, ReplayedAnswer | AppError>;
}

/** Plans writes to one school. Each write succeeds or fails by itself; the plan adds up their totals. */
export function planWrites<W extends ScoreWrite>(writes: readonly W[], found: LedgerState): Plan<W> {
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
    const earlier = write.key && found.storedAnswers.get(write.key);
    if (earlier instanceof AppError)
      return { write, earlyResult: { kind: 'refused', error: earlier }, entries: [] };
    if (earlier) return { write, earlyResult: { kind: 'replayed', answer: earlier }, entries: [] };
    const createdAt = write.at.toISOString();
    const entries = write.entries.map((entry): FailedEntry | NewRecord => {
      const checked = checkEntry(entry, studentOf(entry), write.range, found);
      if (checked instanceof AppError) return failedEntry(entry, checked);
      const { change, description, note, categoryId, occurredAt } = entry;
      const { author } = write;
      return { student: checked, change, description, note, categoryId, author, occurredAt, createdAt };
    });
    const fault = write.allOrNothing ? entries.find((entry) => 'fault' in entry)?.fault : undefined;
    if (fault) return { write, earlyResult: { kind: 'refused', error: fault }, entries: [] };
    return { write, earlyResult: null, entries };
  });

  const records = planned.flatMap(({ entries }) => entries.filter((entry) => 'student' in entry));
  const totals = new TotalsDelta('in');
  for (const { student, change, createdAt, categoryId } of records) {
    const day = found.days.get(createdAt);
    if (day === undefined) throw new Error(`No day is known for ${createdAt} lies`);
    totals.addRecord(student, change, day, categoryId);
  }
  const studentsAfter = new Map(found.studentsBefore.map((student) => [student.id, totals.applyTo(student)]));
  return { writes: planned, records, totals, studentsAfter };
}

function checkEntry(
  entry: LedgerEntry,
  student: LockedStudent | undefined,
  range: Range,
  { termStarts, usableCategories }: LedgerState,
): LockedStudent | AppError {
  const { fault, occurredAt, categoryId } = entry;
  if (fault) return fault;
  if (!student) return new AppError('not_found', 'The student was not found');
  if (!covers(range, { schoolId: range.schoolId, gradeId: student.gradeId, classId: student.classId })) {
    return new AppError('out_of_range', 'The student is outside your range');
  }
  if (student.archived) return archivedError('The student');
  if (student.erased) return studentErased();
  const other = contradictingNames(entry, student);
  if (other) return new AppError('invalid_value', `${other} name different students`);
  if (categoryId !== null && !usableCategories.has(categoryId)) return unusableCategory(categoryId);
  const termStart = occurredAt === null ? undefined : termStarts.get(student.classId);
  if (occurredAt !== null && termStart !== undefined && occurredAt < termStart) {
    return new AppError(
      'invalid_value',
      `occurredAt lies before the current term, which began at ${termStart}`,
    );
  }
  return student;
}

function contradictingNames(entry: LedgerEntry, student: LockedStudent): string | null {
  const { studentId, username, externalId, cardNumber } = entry;
  const first = studentId !== null ? 'userId' : username !== null ? 'username' : 'externalId';
  if (username !== null && student.username !== username) return `${first} and username`;
  if (externalId !== null && student.externalId !== externalId) return `${first} and externalId`;
  if (cardNumber !== null && student.cardNumber !== cardNumber) return `${first} and cardNumber`;
  return null;
}

const failedEntry = ({ studentId, username, change }: LedgerEntry, fault: AppError): FailedEntry => ({
  fault,
  studentId,
  username,
  change: Number.isInteger(change) ? change : null,
  recordId: null,
});

/** Makes the answers of a plan's writes. @param recordIds for `plan.records`, in order; surplus ids are ignored */
export function buildResults<W extends ScoreWrite>(
  plan: Plan<W>,
  recordIds: readonly number[],
): CompletedWrite<W>[] {
  const ids = recordIds.values();
  return plan.writes.map(({ write, earlyResult, entries }) => {
    if (earlyResult) return { write, result: earlyResult };
    const students = new Map<number, Student>();
    const outcomes = entries.map((entry): EntryOutcome => {
      if ('fault' in entry) return entry;
      const { id: studentId, username } = entry.student;
      const { value: recordId } = ids.next();
      if (recordId === undefined) throw new Error('Fewer records were written than planned');
      const studentAfter = write.includeStudents && plan.studentsAfter.get(studentId);
      if (studentAfter) students.set(studentId, studentAfter);
      return { fault: null, studentId, username, change: entry.change, recordId };
    });
    return { write, result: { kind: 'done', answer: write.answer(outcomes, students) } };
  });
}
