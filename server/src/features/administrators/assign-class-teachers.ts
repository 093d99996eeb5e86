import type { AssignedTeachers, Body, InternalOperations } from '@classledger/contract';
import { announceAccessChange } from '../../access/access-changes.ts';
import {
  type InitialPassword,
  type InitialPasswords,
  initialPasswordColumns,
  passwordEndsAtField,
} from '../../access/initial-passwords.ts';
import { generatePassword, hashConcurrency } from '../../access/passwords.ts';
import { mayManage, type Responsibility } from '../../access/range.ts';
import { runAndRollBack, type SchoolData } from '../../access/school-data.ts';
import type { Admin } from '../../access/sessions.ts';
import { requireOpenClass } from '../../access/targets.ts';
import { forEachLimited } from '../../concurrency/for-each-limited.ts';
import type { Transaction } from '../../database/connect.ts';
import { AppError, type ErrorKind } from '../../errors/app-error.ts';
import { type KeyedCall, type ReplayedAnswer, runOncePrepared } from '../../idempotency/idempotency-keys.ts';
import { countOutcomes } from '../students/student-creation.ts';
import {
  lockAdministrators,
  placeColumns,
  resolveAffiliation,
  usernameTaken,
} from './manage-administrators.ts';
import { readSubjects, storeTaughtClass } from './teaching.ts';

type AssignBody = Body<InternalOperations['assignClassTeachers']>;
type AssignCall = KeyedCall & { readonly admin: Admin; readonly body: AssignBody };
type Entry = AssignBody['teachers'][number];
type ValidEntry = ReturnType<typeof validEntries>[number];
type Detail = AssignedTeachers['details'][number];
type Assignment = Pick<Detail, 'id' | 'action' | 'classBefore' | 'initialPassword' | 'passwordEndsAt'>;

interface PreparedPassword {
  readonly password: string | null;
  readonly stored: InitialPassword;
}

/** Returns undefined for a username that had an account when passwords were prepared. */
type FindPreparedPassword = (username: string) => PreparedPassword | undefined;

class EntryError extends AppError {
  readonly fault: NonNullable<Detail['fault']>;

  constructor(fault: NonNullable<Detail['fault']>, kind: ErrorKind, message: string) {
    super(kind, message);
    this.fault = fault;
  }
}

/**
 * Assigns teachers once per idempotency key (docs/contract.md, Teachers from a list); skips faulty entries.
 * @throws AppError unauthenticated (the caller is deleted or disabled), unavailable (too many passwords wait)
 */
export function assignClassTeachers(
  passwords: InitialPasswords,
  call: AssignCall,
): Promise<AssignedTeachers | ReplayedAnswer> {
  const { data, at, body } = call;
  const assign = (own: SchoolData, tx: Transaction, prepare: FindPreparedPassword) =>
    assignAll(own, tx, call, prepare);
  if (body.dryRun) {
    const stored = { hash: '', expiresAt: null, isInitial: true, isShared: false } as const;
    const emptyPassword = { password: null, stored };
    return runAndRollBack(data, (own, tx) => assign(own, tx, () => emptyPassword));
  }
  const prepare = () => preparePasswords(passwords, data, body.teachers, at);
  return runOncePrepared(call, prepare, (own, prepared, tx) =>
    assign(own, tx, (username) => prepared.get(username)),
  );
}

const validEntries = (teachers: readonly Entry[]) =>
  teachers.flatMap((entry) => (entry.fault ? [] : entry.value));

const distinctUsernames = (teachers: readonly Entry[]) => [
  ...new Set(validEntries(teachers).map(({ username }) => username)),
];

/** Hashes before the transaction, because hashing is slow; skips usernames with an account and classes out of range. */
async function preparePasswords(
  passwords: InitialPasswords,
  data: SchoolData,
  teachers: readonly Entry[],
  at: Date,
): Promise<ReadonlyMap<string, PreparedPassword>> {
  const known = await data.transaction((_, tx) => readIdsByUsername(tx, distinctUsernames(teachers)));
  const classes = await data.classesUnjoined().select('c.id').execute();
  const inRange = new Set(classes.map(({ id }) => id));
  const missing = validEntries(teachers)
    .filter(({ username, classId }) => !known.has(username) && inRange.has(classId))
    .map(({ username }) => username);
  const prepared = new Map<string, PreparedPassword>();
  await forEachLimited([...new Set(missing)], hashConcurrency, async (username) => {
    const password = generatePassword();
    const stored = await passwords.create(password, 'generated', at, `school ${data.schoolId}`);
    prepared.set(username, { password, stored });
  });
  return prepared;
}

async function readIdsByUsername(tx: Transaction, usernames: readonly string[]) {
  if (usernames.length === 0) return new Map();
  const rows = await tx
    .selectFrom('admin')
    .where('username', 'in', usernames)
    .select(['id', 'username'])
    .execute();
  return new Map(rows.map(({ id, username }) => [username, id]));
}

/** An account that an entry names. */
type Target = Awaited<ReturnType<typeof lockAdministrators>>['targets'][number];

/** Locks the school, then classes, then accounts, each in a fixed order, so parallel lists cannot deadlock. */
async function assignAll(
  own: SchoolData,
  tx: Transaction,
  { admin, at, body }: AssignCall,
  prepare: FindPreparedPassword,
): Promise<AssignedTeachers> {
  // The caller rolls a dry run back, so the answer contains no new ids.
  const { teachers, role = 'class_admin', dryRun = false } = body;
  await own.lockSchoolShared();
  await own.wholeSchool().lockClasses([...new Set(validEntries(teachers).map(({ classId }) => classId))]);
  const ids = await readIdsByUsername(tx, distinctUsernames(teachers));
  const { manager, targets } = await lockAdministrators(tx, admin, [...ids.values()]);
  const labels = await readClassLabels(own);
  const accounts = new Map(targets.map((target) => [target.username, target]));
  const taught = await readSubjects(
    tx,
    targets.map(({ id }) => id),
  );
  const seen = new Set<string>();

  const create = async (username: string, place: Responsibility, name: string | null) => {
    const prepared = prepare(username);
    const id = await createTeacher(tx, { username, name, place, prepared, at });
    const passwords = prepared?.password
      ? { initialPassword: prepared.password, ...passwordEndsAtField(prepared.stored) }
      : {};
    const created = { id, username, name, ...place, disabled: false, mustChangePassword: true };
    accounts.set(username, created);
    return { created, passwords };
  };

  const requireUsable = (target: Target) => {
    // An account of another school gives the same error, so that callers do not learn where it exists.
    if (target.schoolId !== own.schoolId || !mayManage(manager, target)) throw takenEntry(target.username);
    if (role === 'class_admin' && target.role !== 'class_admin') {
      throw new EntryError('otherRole', 'conflict', 'This account is not that of a class teacher');
    }
    if (target.disabled) throw new EntryError('disabled', 'conflict', 'This account is disabled');
  };

  const assignClass = async ({ username, name: given, classId }: ValidEntry): Promise<Assignment> => {
    const name = given ?? null;
    const place = await asFault(
      'noClass',
      resolveAffiliation(tx, manager, { role: 'class_admin', schoolId: own.schoolId, classId }),
    );
    const target = accounts.get(username);
    if (!target) {
      const { created, passwords } = await create(username, place, name);
      return { id: created.id, action: 'created', classBefore: null, ...passwords };
    }
    requireUsable(target);
    const { id } = target;
    const isMoved = target.classId !== classId;
    if (isMoved || (name !== null && name !== target.name)) {
      await tx
        .updateTable('admin')
        .where('id', '=', id)
        .set({
          grade_id: place.gradeId,
          class_id: classId,
          ...(name !== null && { name }),
          updated_at: at,
        })
        .execute();
      await announceAccessChange(tx, { issuerId: id });
    }
    if (!isMoved) return { id, action: 'unchanged', classBefore: null };
    return { id, action: 'moved', classBefore: labels.get(target.classId ?? 0) ?? null };
  };

  const assignSubject = async (entry: ValidEntry): Promise<Assignment> => {
    const { username, classId } = entry;
    const [name, subject] = [entry.name ?? null, entry.subject || null];
    await asFault('noClass', requireOpenClass(own, classId));
    const known = accounts.get(username);
    if (known) requireUsable(known);
    const place = known
      ? null
      : await asFault(
          'notAllowed',
          resolveAffiliation(tx, manager, { role: 'teacher', schoolId: own.schoolId }),
        );
    const { created, passwords } = place
      ? await create(username, place, name)
      : { created: null, passwords: {} };
    const { id } = (created ?? known) as Target;
    if (known && name !== null && name !== known.name)
      await tx.updateTable('admin').where('id', '=', id).set({ name, updated_at: at }).execute();
    const before = taught.get(`${id} ${classId}`);
    const isSame = before !== undefined && (subject === null || subject === before);
    if (!isSame) await storeTaughtClass(tx, { adminId: id, schoolId: own.schoolId, classId, subject, at });
    const action = created ? 'created' : isSame ? 'unchanged' : 'added';
    return { id, action, classBefore: null, ...passwords };
  };

  const assign = async (entry: Entry): Promise<Assignment> => {
    if (entry.fault) throw new EntryError('invalid', entry.fault.kind, entry.fault.message);
    const { username, classId } = entry.value;
    const key = role === 'teacher' ? `${username} ${classId}` : username;
    if (seen.has(key)) {
      throw new EntryError('twice', 'conflict', 'An entry before this one names the same account');
    }
    seen.add(key);
    const assigned = await (role === 'teacher' ? assignSubject : assignClass)(entry.value);
    return assigned.action === 'created' && dryRun ? { ...assigned, id: null } : assigned;
  };

  const detailOf = async (entry: Entry, index: number): Promise<Detail> => {
    const username = usernameOf(entry);
    try {
      const assignment = await assign(entry);
      return { index, success: true, code: 0, reason: null, username, fault: null, ...assignment };
    } catch (error) {
      if (!(error instanceof EntryError)) throw error;
      const { code, message: reason, fault } = error;
      const unassigned = { id: null, action: null, classBefore: null };
      return { index, success: false, code, reason, username, fault, ...unassigned };
    }
  };
  const details: Detail[] = [];
  for (const index of indexesByUsername(teachers)) {
    details[index] = await detailOf(teachers[index] as Entry, index);
  }
  return { ...countOutcomes(details), details, username: joinNamesForActivityLog(details), dryRun };
}

/** Turns an error of a rule into the fault of an entry. @throws EntryError */
async function asFault<T>(fault: EntryError['fault'], checked: Promise<T>): Promise<T> {
  try {
    return await checked;
  } catch (error) {
    throw error instanceof AppError ? new EntryError(fault, error.kind, error.message) : error;
  }
}

function indexesByUsername(teachers: readonly Entry[]): number[] {
  const names = teachers.map((entry) => usernameOf(entry) ?? '');
  const isBefore = (one: string, other: string) => (one < other ? -1 : Number(one > other));
  return [...names.keys()].sort(
    (one, other) => isBefore(names[one] ?? '', names[other] ?? '') || one - other,
  );
}

function joinNamesForActivityLog(details: readonly Detail[]): string {
  const assigned = details.filter(({ action }) => action !== null && action !== 'unchanged');
  return [...new Set(assigned.map(({ username }) => username))].join(', ');
}

function usernameOf(entry: Entry): string | null {
  const { username } = ((entry.fault ? entry.raw : entry.value) ?? {}) as { username?: unknown };
  return typeof username === 'string' ? username : null;
}

const takenEntry = (username: string) => new EntryError('taken', 'conflict', usernameTaken(username).message);

interface NewTeacher {
  readonly username: string;
  readonly name: string | null;
  readonly place: Responsibility;
  readonly prepared: PreparedPassword | undefined;
  readonly at: Date;
}

/** @throws EntryError when the username is taken, or became free after the passwords were prepared */
async function createTeacher(
  tx: Transaction,
  { username, name, place, prepared, at }: NewTeacher,
): Promise<number> {
  if (!prepared) throw takenEntry(username);
  const created = await tx
    .insertInto('admin')
    .values({
      username,
      name,
      ...initialPasswordColumns(prepared.stored),
      ...placeColumns(place),
      created_at: at,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!created) throw takenEntry(username);
  return created.id;
}

async function readClassLabels(own: SchoolData) {
  const rows = await own
    .wholeSchool()
    .classes()
    .select(['c.id', 'c.name as className', 'g.name as gradeName'])
    .execute();
  return new Map(rows.map(({ id, className, gradeName }) => [id, { gradeName, className }]));
}
