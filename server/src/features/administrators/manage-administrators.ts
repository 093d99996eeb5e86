import {
  type Administrator,
  type Body,
  type InternalOperations,
  type Role,
  rangeOfRole,
} from '@classledger/contract';
import { announceAccessChange } from '../../access/access-changes.ts';
import type { AccountEvents } from '../../access/account-events.ts';
import {
  type InitialPassword,
  type InitialPasswords,
  initialPasswordColumns,
  passwordEndsAtField,
  requestedPassword,
} from '../../access/initial-passwords.ts';
import { generatePassword } from '../../access/passwords.ts';
import {
  adminRange,
  emptyUnit,
  managedRoles,
  mayManage,
  type Range,
  type Responsibility,
} from '../../access/range.ts';
import { SchoolData } from '../../access/school-data.ts';
import type { Admin, AdminSessions, ManagerCall } from '../../access/sessions.ts';
import { lockClass, requireOpenGrade } from '../../access/targets.ts';
import type { Database, Queryable, Transaction } from '../../database/connect.ts';
import { inTransaction, translateViolations } from '../../database/transaction.ts';
import { AppError, conflict, invalidValue, notFound, outOfRange } from '../../errors/app-error.ts';
import { readSchool } from '../schools/schools.ts';
import { deleteAdminIdentities } from '../sign-in-providers/identities.ts';
import { findAdministrator } from './list-administrators.ts';
import { replaceTaughtClasses, type TaughtClasses } from './teaching.ts';

interface WantedAffiliation {
  readonly schoolId?: number | null | undefined;
  readonly gradeId?: number | null | undefined;
  readonly classId?: number | null | undefined;
  readonly teaches?: TaughtClasses | undefined;
}

interface AdministratorServices {
  readonly db: Database;
  readonly sessions: AdminSessions;
  readonly events: AccountEvents;
  readonly initialPasswords: InitialPasswords;
}

type AdministratorChange = Omit<Body<InternalOperations['updateAdministrator']>, 'password'> & {
  readonly password?: InitialPassword | undefined;
};

const schoolOf = ({ admin, data }: ManagerCall) => admin.schoolId ?? data?.schoolId ?? null;

/** @throws AppError not_found (also outside the chosen school), permission_denied (the role), out_of_range */
export async function readManagedAdministrator(
  db: Queryable,
  call: ManagerCall,
  id: number,
): Promise<Administrator> {
  const found = await findAdministrator(db, id);
  requireManaged(call.admin, schoolOf(call), found);
  return found;
}

/**
 * @throws AppError invalid_value, missing_field (the affiliation does not fit the role), permission_denied, not_found,
 * out_of_range (the caller may not assign the affiliation), conflict (the username is taken), unauthenticated
 */
export async function createAdministrator(
  { db, initialPasswords }: AdministratorServices,
  call: ManagerCall,
  body: Body<InternalOperations['createAdministrator']>,
) {
  const { password, generatePassword: _, username, name = null, teaches = [], role, ...wanted } = body;
  const { admin: caller, at } = call;
  const school = schoolOf(call);
  // Hashes before the transaction, so no lock is held meanwhile.
  const given = requestedPassword(body);
  const initialPassword = given ?? generatePassword();
  const stored = await initialPasswords.create(initialPassword, given === null ? 'generated' : 'given', at);
  if (adminRange(caller) === 'everything' && school !== null && (wanted.schoolId ?? school) !== school) {
    throw invalidValue('schoolId and schoolDb name two different schools');
  }
  const defaultSchoolId = role === 'super_admin' ? null : school;
  const wantedAffiliation = { ...wanted, role, schoolId: wanted.schoolId ?? defaultSchoolId, teaches };
  const created = await inTransaction(db, async (tx) => {
    await lockAffiliation(tx, caller, wantedAffiliation);
    const { manager } = await lockAdministrators(tx, caller, []);
    const place = await resolveAffiliation(tx, manager, wantedAffiliation);
    const { id } = await storeNamed(
      username,
      tx
        .insertInto('admin')
        .values({
          username,
          name,
          ...initialPasswordColumns(stored),
          ...placeColumns(place),
          created_at: at,
        })
        .returning('id')
        .executeTakeFirstOrThrow(),
    );
    await storeTaughtClasses(tx, manager, { ...place, id }, teaches, at);
    return (await findAdministrator(tx, id)) as Administrator;
  });
  return { ...created, ...(given === null && { initialPassword }), ...passwordEndsAtField(stored) };
}

/**
 * Locks the caller's row too. Callers cannot disable or demote themselves, so an enabled super administrator remains.
 * @throws AppError as `readManagedAdministrator` and `createAdministrator`
 */
export async function changeAdministrator(
  services: AdministratorServices,
  call: ManagerCall,
  id: number,
  { password: given, ...change }: Body<InternalOperations['updateAdministrator']>,
) {
  const password =
    given === undefined ? undefined : await services.initialPasswords.create(given, 'given', call.at);
  const changed = await storeChange(services, call, id, { ...change, password });
  return { ...changed, ...(password && passwordEndsAtField(password)) };
}

async function storeChange(
  { db, sessions, events }: AdministratorServices,
  call: ManagerCall,
  id: number,
  change: AdministratorChange,
): Promise<Administrator> {
  const { changed, forgotten } = await inTransaction(db, async (tx) => {
    // Reads the account without a lock, because its new school, grade or class must be locked first.
    const beforeLock = await findAdministrator(tx, id);
    if (beforeLock && (change.teaches || changesAffiliation(beforeLock, change)))
      await lockAffiliation(tx, call.admin, {
        ...mergeAffiliation(beforeLock, change),
        teaches: change.teaches,
      });
    const { manager, target } = await lockManagedAdministrator(tx, call, id);
    const isSelf = target.id === manager.id;
    const role = change.role ?? target.role;
    if (isSelf && role !== target.role) throw new AppError('permission_denied', 'You cannot demote yourself');
    if (isSelf && change.password)
      throw new AppError(
        'permission_denied',
        'Change your own password under your account (PATCH /api/auth/me), with the old one',
      );
    if (isSelf && change.disabled) throw new AppError('permission_denied', 'You cannot disable yourself');
    const place = changesAffiliation(target, change)
      ? await resolveAffiliation(tx, manager, mergeAffiliation(target, change))
      : target;
    await storeNamed(
      change.username ?? target.username,
      tx
        .updateTable('admin')
        .where('id', '=', id)
        .set({
          ...placeColumns({ ...place, role }),
          username: change.username,
          name: change.name,
          ...(change.password && initialPasswordColumns(change.password)),
          disabled: change.disabled,
          updated_at: call.at,
        })
        .execute(),
    );
    await announceAccessChange(tx, { issuerId: id });
    if (change.password || change.disabled) {
      await sessions.closeOthers(tx, id, '');
    }
    const hasLeft = place.schoolId !== target.schoolId;
    if (hasLeft) await tx.deleteFrom('teaching').where('admin_id', '=', id).execute();
    if (change.teaches)
      await storeTaughtClasses(tx, manager, { ...place, id, role }, change.teaches, call.at);
    const forgotten = hasLeft ? await deleteAdminIdentities(tx, target) : 0;
    return { changed: (await findAdministrator(tx, id)) as Administrator, forgotten };
  });
  if (forgotten > 0) events.recordAdminEvent(changed, 'unbound', null);
  if (change.password) events.recordAdminEvent(changed, 'passwordReset', null);
  return changed;
}

/** Returns the new password, which cannot be read again. @throws AppError as `changeAdministrator` */
export async function resetPassword(services: AdministratorServices, call: ManagerCall, id: number) {
  // Checks the target before the slow hashing.
  await readManagedAdministrator(services.db, call, id);
  const initialPassword = generatePassword();
  const password = await services.initialPasswords.create(initialPassword, 'generated', call.at);
  const { username } = await storeChange(services, call, id, { password });
  return { id, username, initialPassword, ...passwordEndsAtField(password) };
}

/**
 * Keeps the records that the administrator wrote, but their credentials stop working. Callers cannot delete
 * themselves, so an enabled super administrator remains. @throws AppError as `readManagedAdministrator`
 */
export function deleteAdministrator(db: Database, call: ManagerCall, id: number) {
  return inTransaction(db, async (tx) => {
    const { manager, target } = await lockManagedAdministrator(tx, call, id);
    if (target.id === manager.id) throw new AppError('permission_denied', 'You cannot delete yourself');
    await deleteAdminIdentities(tx, target);
    await tx.deleteFrom('admin').where('id', '=', id).execute();
    await announceAccessChange(tx, { issuerId: id });
    return { id, username: target.username, schoolId: target.schoolId };
  });
}

/** Locks the school, then its grade or class; call it before accounts are locked and before `resolveAffiliation`. */
async function lockAffiliation(
  tx: Transaction,
  caller: Admin,
  { schoolId, gradeId, classId, teaches = [] }: WantedAffiliation,
): Promise<void> {
  if (schoolId == null || (adminRange(caller) !== 'everything' && caller.schoolId !== schoolId)) return;
  const data = new SchoolData(tx, { schoolId, gradeId: null, classId: null });
  await data.lockSchoolShared();
  if (gradeId != null) await data.preventGradeDeletion(gradeId);
  const classIds = teaches.map((taught) => taught.classId);
  await data.lockClasses(classId == null ? classIds : [classId, ...classIds]);
}

/** @throws AppError as `replaceTaughtClasses`; invalid_value for a super administrator */
async function storeTaughtClasses(
  tx: Transaction,
  manager: Admin,
  { id, role, schoolId }: Responsibility & { readonly id: number },
  teaches: TaughtClasses,
  at: Date,
): Promise<void> {
  if (teaches.length > 0 && schoolId === null) throw invalidValue(`A ${role} teaches no classes`);
  if (schoolId === null) return;
  await replaceTaughtClasses(tx, new SchoolData(tx, managerRangeIn(schoolId, manager)), id, teaches, at);
}

/** Locks rows by id, so if two callers delete each other, the second call fails. @throws AppError unauthenticated */
export async function lockAdministrators(tx: Transaction, caller: Admin, ids: readonly number[]) {
  const rows = await tx
    .selectFrom('admin')
    .where('id', 'in', [caller.id, ...ids])
    .select(['id', 'username', 'name', 'role', 'disabled'])
    .select(['school_id as schoolId', 'grade_id as gradeId', 'class_id as classId'])
    .select('password_is_initial as mustChangePassword')
    .orderBy('id')
    .forUpdate()
    .execute();
  const manager = rows.find((row) => row.id === caller.id);
  if (!manager || manager.disabled) {
    throw new AppError('unauthenticated', 'Your account has been disabled or deleted');
  }
  return { manager, targets: rows.filter((row) => ids.includes(row.id)) };
}

/** @throws AppError as `lockAdministrators` and `readManagedAdministrator` */
export async function lockManagedAdministrator(tx: Transaction, call: ManagerCall, id: number) {
  const { manager, targets } = await lockAdministrators(tx, call.admin, [id]);
  const [target] = targets;
  requireManaged(manager, schoolOf(call), target);
  return { manager, target };
}

/** @throws AppError as `readManagedAdministrator` */
function requireManaged<T extends Responsibility>(
  manager: Responsibility,
  school: number | null,
  target: T | undefined,
): asserts target is T {
  const visible = adminRange(manager) === 'everything' ? school : manager.schoolId;
  if (!target || (visible !== null && target.schoolId !== visible)) throw notFound('The administrator');
  if (!managedRoles(manager.role).includes(target.role)) {
    throw new AppError('permission_denied', `A ${manager.role} may not manage a ${target.role}`);
  }
  if (!mayManage(manager, target)) throw outOfRange('The administrator');
}

function changesAffiliation(
  target: Responsibility,
  { role, schoolId, gradeId, classId }: AdministratorChange,
): boolean {
  const namesPlace = [schoolId, gradeId, classId].some((part) => part !== undefined);
  return namesPlace || (role !== undefined && role !== target.role);
}

/** Fills absent fields from `target` only if role and school stay the same. */
function mergeAffiliation(target: Responsibility, change: AdministratorChange) {
  const role = change.role ?? target.role;
  const namesSchool = change.schoolId !== undefined || role === 'super_admin';
  const schoolId = namesSchool ? (change.schoolId ?? null) : target.schoolId;
  const isSamePlace = role === target.role && schoolId === target.schoolId;
  const gradeId =
    change.gradeId === undefined && isSamePlace && rangeOfRole[role] === 'grade'
      ? target.gradeId
      : change.gradeId;
  const classId = change.classId === undefined && isSamePlace ? target.classId : change.classId;
  return { role, schoolId, gradeId, classId };
}

/** Locks the affiliation. @throws AppError missing_field, invalid_value, permission_denied, not_found, out_of_range */
export async function resolveAffiliation(
  tx: Transaction,
  manager: Admin,
  { role, schoolId = null, gradeId = null, classId = null }: WantedAffiliation & { role: Role },
): Promise<Responsibility> {
  if (!managedRoles(manager.role).includes(role)) {
    throw new AppError('permission_denied', `A ${manager.role} may not create a ${role}`);
  }
  requireFittingFields({ role, schoolId, gradeId, classId });
  const place = { role, schoolId, gradeId, classId };
  if (schoolId !== null) {
    await readSchool(tx, manager, schoolId);
    const data = new SchoolData(tx, managerRangeIn(schoolId, manager));
    if (!(await data.preventSchoolDeletion())) throw notFound('The school');
    if (rangeOfRole[role] === 'grade') {
      await data.preventGradeDeletion(gradeId as number);
      await requireOpenGrade(data, gradeId as number);
    }
    if (rangeOfRole[role] === 'class') {
      const found = await lockClass(data, classId as number);
      if (gradeId !== null && gradeId !== found.gradeId)
        throw invalidValue('The class classId is not in the grade gradeId');
      place.gradeId = found.gradeId;
    }
  }
  if (!mayManage(manager, place)) throw outOfRange('The responsibility of this administrator');
  return place;
}

const affiliationFields: Readonly<
  Record<(typeof rangeOfRole)[Role], Readonly<Record<'needed' | 'optional', readonly string[]>>>
> = {
  everything: { needed: [], optional: [] },
  nothing: { needed: ['schoolId'], optional: [] },
  school: { needed: ['schoolId'], optional: [] },
  grade: { needed: ['schoolId', 'gradeId'], optional: [] },
  class: { needed: ['schoolId', 'classId'], optional: ['gradeId'] },
};

function requireFittingFields({ role, ...parts }: Responsibility): void {
  const { needed, optional } = affiliationFields[rangeOfRole[role]];
  for (const [name, value] of Object.entries(parts)) {
    if (value === null && needed.includes(name)) {
      throw new AppError('missing_field', `A ${role} needs ${name}`);
    }
    if (value !== null && !needed.includes(name) && !optional.includes(name)) {
      throw invalidValue(`A ${role} takes no ${name}`);
    }
  }
}

/** Returns a range that matches nothing once the manager's grade or class is deleted. */
function managerRangeIn(schoolId: number, manager: Responsibility): Range {
  const range = adminRange(manager);
  if (range === 'everything') return { schoolId, gradeId: null, classId: null };
  return range ?? emptyUnit(schoolId);
}

export const placeColumns = ({ role, schoolId, gradeId, classId }: Responsibility) => ({
  role,
  school_id: schoolId,
  grade_id: gradeId,
  class_id: classId,
});

/** @throws AppError not_found, conflict (the username) */
const storeNamed = <T>(username: string, write: Promise<T>) =>
  translateViolations(write, notFound('The school, the grade or the class'), usernameTaken(username));

export const usernameTaken = (username: string) =>
  conflict(`An administrator named ${JSON.stringify(username)} already exists`);
