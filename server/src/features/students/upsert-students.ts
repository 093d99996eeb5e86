import {
  type Body,
  type CheckedStudents,
  type Entry,
  type ExternalOperations,
  type ImportEntry,
  type StudentIdentity,
  type UpsertedStudents,
  upsertedFields,
} from '@classledger/contract';
import type { InitialPasswords } from '../../access/initial-passwords.ts';
import { runAndRollBack, type SchoolData } from '../../access/school-data.ts';
import { requireClassInRange } from '../../access/targets.ts';
import type { Transaction } from '../../database/connect.ts';
import { anyOf } from '../../database/expressions.ts';
import { AppError, conflict, notFound } from '../../errors/app-error.ts';
import { type KeyedCall, type ReplayedAnswer, runOncePrepared } from '../../idempotency/idempotency-keys.ts';
import {
  type ChangedStudent,
  type ChangeRules,
  changeStudents,
  NameTakenConcurrentlyError,
  retryTakenNames,
} from './change-student.ts';
import {
  createStudents,
  type NewStudent,
  type PreparedStudent,
  preparePasswords,
  type StudentToStore,
  unknownPassword,
} from './create-students.ts';
import { type Names, NameTakenError, readIdentities, TakenNames } from './identities.ts';
import { countOutcomes, failedDetail, passwordFields, withStudentDefaults } from './student-creation.ts';
import { namesToMatch, StudentMatcher } from './student-matcher.ts';

export type UpsertOutcome =
  | AppError
  | ChangedStudent
  | { readonly created: StudentIdentity; readonly prepared: StudentToStore };

export interface UpsertOptions<T> extends ChangeRules {
  readonly entries: readonly Entry<UpsertEntry>[];
  readonly dryRun: boolean;
  /** Called first, to take locks that come before those of students. */
  readonly lockFirst?: (own: SchoolData, tx: Transaction) => Promise<void>;
  readonly answer: (own: SchoolData, outcomes: UpsertOutcomes) => T | Promise<T>;
}

/** Entries of imports can name the student that an earlier check found, or forbid creating a student (`missing`). */
export type UpsertEntry = ImportEntry;
export type UpsertOutcomes = ReadonlyMap<UpsertEntry, UpsertOutcome>;

/** Applies or refuses each entry by itself (docs/contract.md, Students). @throws AppError out_of_range (all entries) */
export async function upsertStudents(
  passwords: InitialPasswords,
  call: KeyedCall & { readonly body: Body<ExternalOperations['upsertStudents']> },
): Promise<UpsertedStudents | ReplayedAnswer> {
  const { batch, classId, dryRun = false } = call.body;
  if (classId !== undefined) await requireClassInRange(call.data, classId);
  const entries = batch.map((entry) => withClass(entry, classId));
  return upsertEntries(passwords, call, {
    entries,
    dryRun,
    answer: (_, outcomes) => buildAnswer(entries, outcomes, dryRun),
  });
}

/** Like `upsertStudents`, with a custom answer, as for imports. @throws errors of `lockFirst` and `answer` */
export async function upsertEntries<T>(
  passwords: InitialPasswords,
  call: KeyedCall,
  work: UpsertOptions<T>,
): Promise<T | ReplayedAnswer> {
  const prepared = new Map<UpsertEntry, PreparedStudent>();
  const runUpsert = async (own: SchoolData, tx: Transaction, prepare: AddPassword) => {
    await work.lockFirst?.(own, tx);
    return work.answer(own, await upsert(own, work, prepare, call.at));
  };
  const prepare = () => prepareNewStudents(passwords, call, work, prepared);
  return retryTakenNames(() =>
    work.dryRun
      ? runAndRollBack(call.data, (own, tx) => runUpsert(own, tx, withoutPassword))
      : runOncePrepared(call, prepare, (own, _, tx) => runUpsert(own, tx, (entry) => prepared.get(entry))),
  );
}

function withClass(entry: Entry<UpsertEntry>, classId: number | undefined): Entry<UpsertEntry> {
  if (entry.fault || entry.value.classId !== undefined || classId === undefined) return entry;
  return { value: { ...entry.value, classId } };
}

const validEntries = (entries: readonly Entry<UpsertEntry>[]) =>
  entries.flatMap((entry) => (entry.fault ? [] : entry.value));

/** Adds the password of a new student; undefined when the student existed while passwords were prepared. */
type AddPassword = (entry: UpsertEntry, student: NewStudent) => StudentToStore | undefined;

const withoutPassword: AddPassword = (_, student) => ({
  ...student,
  stored: unknownPassword(''),
  initialPassword: null,
  fault: null,
});

/** Prepares passwords for new students, except those that an earlier attempt prepared. */
async function prepareNewStudents(
  passwords: InitialPasswords,
  { data, at }: KeyedCall,
  { entries, allowSwaps = false }: UpsertOptions<unknown>,
  prepared: Map<UpsertEntry, PreparedStudent>,
): Promise<void> {
  const wanted = validEntries(entries);
  const known = new StudentMatcher(
    await readIdentities(data, wanted.map(namesToMatch)),
    allowSwaps ? wanted : [],
  );
  const newcomers = wanted.filter(
    (entry) => mayCreate(entry) && !prepared.has(entry) && known.match(entry) === null,
  );
  const students = newcomers.flatMap((entry) => {
    const student = toNewStudent(data, entry);
    return student instanceof AppError ? [] : { entry, student };
  });
  const made = await preparePasswords(
    passwords,
    data,
    students.map(({ student }) => student),
    at,
    (student) => known.remainingNames(student),
  );
  for (const [i, { entry }] of students.entries()) prepared.set(entry, made[i] as PreparedStudent);
}

/** Returns an error when the entry's student is not the student of the earlier check. */
function resolveEntry(
  data: SchoolData,
  entry: UpsertEntry,
  known: StudentMatcher,
): StudentIdentity | NewStudent | AppError {
  const found = known.match(entry);
  if (found instanceof AppError) return found;
  const { seenUserId, seenClassId } = entry;
  if (found === null) return mayCreate(entry) ? toNewStudent(data, entry) : notFound('The student');
  if (seenUserId !== undefined && found.id !== seenUserId) {
    return conflict('The entry means somebody else since it was checked');
  }
  if (seenClassId !== undefined && found.classId !== seenClassId) {
    return conflict('The student has left the class since the entry was checked');
  }
  return found;
}

const mayCreate = ({ missing = false, seenUserId = null }: UpsertEntry) => !missing && seenUserId === null;

function toNewStudent(data: SchoolData, entry: UpsertEntry): NewStudent | AppError {
  const { username } = entry;
  if (username === undefined) {
    return new AppError('missing_field', 'username is required to create a student');
  }
  const classId = entry.classId ?? data.range.classId;
  if (classId === null) return new AppError('missing_parameter', 'classId is required to create a student');
  const student = withStudentDefaults({ ...entry, username }, classId);
  return { ...student, disabled: entry.disabled ?? false, password: null, passwordSource: 'generated' };
}

/** Locks all matching students, then all classes, before the first change. @throws NameTakenConcurrentlyError */
async function upsert(
  data: SchoolData,
  { entries, isSame, allowSwaps = false }: UpsertOptions<unknown>,
  prepare: AddPassword,
  at: Date,
): Promise<Map<UpsertEntry, UpsertOutcome>> {
  const wanted = validEntries(entries);
  const outcomes = new Map<UpsertEntry, UpsertOutcome>();
  const known = await lockMatches(data, wanted);
  const matches = new StudentMatcher(known, allowSwaps ? wanted : []);
  const changes = new Map<number, UpsertEntry>();
  const creations = new Map<UpsertEntry, NewStudent>();
  for (const entry of wanted) {
    const found = resolveEntry(data, entry, matches);
    if (found instanceof AppError) outcomes.set(entry, found);
    else if (!('id' in found)) creations.set(entry, found);
    else if (changes.has(found.id))
      outcomes.set(entry, conflict('An entry before this one names the student'));
    else changes.set(found.id, entry);
  }
  await data.lockClasses([
    ...known.map(({ classId }) => classId),
    ...wanted.flatMap(({ classId }) => classId ?? []),
    ...[...creations.values()].map(({ classId }) => classId),
  ]);
  const wantedChanges = [...changes].map(([id, entry]) => [id, toChange(entry)] as const);
  const changed = await changeStudents(data, new Map(wantedChanges), at, { isSame, allowSwaps });
  for (const [id, entry] of changes) outcomes.set(entry, changed.get(id) as ChangedStudent | AppError);
  const others = known.map((student) => {
    const outcome = changed.get(student.id);
    return !outcome || outcome instanceof AppError ? student : outcome.student;
  });
  await createMissing(data, creations, others, prepare, outcomes, at);
  return outcomes;
}

const toChange = ({ seenUserId: _, seenClassId: __, missing: ___, line: ____, ...change }: UpsertEntry) =>
  change;

/** @throws NameTakenConcurrentlyError when another student gets one of the entries' names meanwhile */
async function lockMatches(data: SchoolData, wanted: readonly UpsertEntry[]): Promise<StudentIdentity[]> {
  const names = wanted.map(namesToMatch);
  const ids = (await readIdentities(data, names)).map(({ id }) => id);
  const locked = new Set(await data.lockStudents((students) => students.where('id', '=', anyOf(ids))));
  const known = await readIdentities(data, names);
  if (!known.every(({ id }) => locked.has(id))) throw new NameTakenConcurrentlyError();
  return known;
}

async function createMissing(
  data: SchoolData,
  creations: ReadonlyMap<UpsertEntry, NewStudent>,
  known: readonly Names[],
  prepare: AddPassword,
  outcomes: Map<UpsertEntry, UpsertOutcome>,
  at: Date,
): Promise<void> {
  const others = new TakenNames(known);
  const possible: { readonly entry: UpsertEntry; readonly student: StudentToStore }[] = [];
  for (const [entry, student] of creations) {
    const fault = others.findTaken(student);
    const prepared = prepare(entry, student);
    if (!prepared) throw new NameTakenConcurrentlyError();
    if (fault) outcomes.set(entry, fault);
    else {
      others.add(student);
      possible.push({ entry, student: prepared });
    }
  }
  if (possible.length === 0) return;
  const created = await createStudents(
    data,
    possible.map(({ student }) => student),
    at,
  );
  for (const [i, { entry, student }] of possible.entries()) {
    const outcome = created[i] as StudentIdentity | AppError;
    // Under the locks no student had this username or external id, so another transaction has just created one. The
    // retry changes that student.
    if (outcome instanceof NameTakenError && outcome.field !== 'cardNumber' && !student.fault) {
      throw new NameTakenConcurrentlyError();
    }
    outcomes.set(entry, outcome instanceof AppError ? outcome : { created: outcome, prepared: student });
  }
}

/** Returns what the answers of imports and of upserts have in common. @param raw the entry as sent */
export function outcomeDetail(index: number, raw: unknown, outcome: UpsertOutcome, dryRun: boolean) {
  if (outcome instanceof AppError) return { ...failedDetail(index, outcome, raw), action: null };
  const common = { index, success: true, code: 0, reason: null };
  if ('created' in outcome) {
    const { id, username } = outcome.created;
    return { ...common, username, id: dryRun ? null : id, action: 'created' as const };
  }
  const { id, username } = outcome.student;
  const action = outcome.changed.length > 0 ? ('updated' as const) : ('unchanged' as const);
  return { ...common, username, id, action };
}

function buildAnswer(
  entries: readonly Entry<UpsertEntry>[],
  outcomes: UpsertOutcomes,
  dryRun: boolean,
): UpsertedStudents {
  const details = entries.map((entry, index): UpsertedStudents['details'][number] => {
    const outcome = entry.fault
      ? new AppError(entry.fault.kind, entry.fault.message)
      : (outcomes.get(entry.value) as UpsertOutcome);
    const detail = outcomeDetail(index, entry.fault ? entry.raw : entry.value, outcome, dryRun);
    if (outcome instanceof AppError) return { ...detail, changed: [] };
    if ('created' in outcome) return { ...detail, changed: [], ...passwordFields(outcome.prepared) };
    return { ...detail, changed: upsertedFields.filter((field) => outcome.changed.includes(field)) };
  });
  return { ...countByOutcome(details), details, dryRun };
}

export function countByOutcome(details: UpsertedStudents['details'] | CheckedStudents['details']) {
  const countOf = (wanted: (typeof details)[number]['action']) =>
    details.filter(({ action }) => action === wanted).length;
  return {
    ...countOutcomes(details),
    createdCount: countOf('created'),
    updatedCount: countOf('updated'),
    unchangedCount: countOf('unchanged'),
  };
}
