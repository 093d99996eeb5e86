import type {
  Body,
  BulkAccounts,
  Entry,
  ExternalOperations,
  InternalOperations,
  StudentIdentity,
} from '@classledger/contract';
import {
  type InitialPasswords,
  type PasswordSource,
  passwordEndsAtField,
  requestedPassword,
} from '../../access/initial-passwords.ts';
import type { SchoolData } from '../../access/school-data.ts';
import type { Admin } from '../../access/sessions.ts';
import { requireClassInRange } from '../../access/targets.ts';
import { AppError } from '../../errors/app-error.ts';
import { mapNames } from '../../fields/fields.ts';
import { type DetailField, detailFields } from '../../fields/students.ts';
import { type KeyedCall, runOncePrepared } from '../../idempotency/idempotency-keys.ts';
import {
  createStudents,
  type NewStudent,
  type PreparedStudent,
  preparePasswords,
  type StudentToStore,
} from './create-students.ts';
import { issuePrintedCodes } from './sign-in-code.ts';
import { readAccount } from './student-account.ts';

const classRequiredError = () => new AppError('missing_parameter', 'classId is required');

/** Creates students for an external caller. A credential of one class need not send `classId`. @throws AppError */
export async function createStudentsByCredential(
  passwords: InitialPasswords,
  call: KeyedCall & { readonly body: Body<ExternalOperations['createStudents']> },
) {
  const { body } = call;
  const classOf = (classId: number | undefined) => {
    const found = classId ?? call.data.range.classId;
    if (found === null) throw classRequiredError();
    return found;
  };
  if (body.form === 'batch') {
    if (body.classId !== undefined) await requireClassInRange(call.data, body.classId);
    return createMany(passwords, call, { ...body, entries: body.batch }, classOf);
  }
  const student = { ...body, classId: classOf(body.classId) };
  await requireClassInRange(call.data, student.classId);
  return createOne(passwords, call, student, (_data, created) => created);
}

export async function createStudentsByAdmin(
  passwords: InitialPasswords,
  call: KeyedCall & { readonly admin: Admin; readonly body: Body<InternalOperations['createUsers']> },
) {
  const { admin, body, data } = call;
  if (body.form === 'batch') {
    const classOf = (classId: number | undefined) => classId ?? data.range.classId ?? classRequiredError();
    return createMany(passwords, call, { ...body, entries: body.students }, classOf, true);
  }
  const { generatePassword: _, ...student } = { ...body, password: requestedPassword(body) ?? undefined };
  return createOne(passwords, call, student, async (own, { id }, { stored, initialPassword }) => {
    const account = await readAccount(own, admin, id);
    const codes = await issuePrintedCodes(own, [id], initialPassword ? stored : null, call.at);
    const signInCode = codes.get(id);
    return { ...account, ...(signInCode && { signInCode }) };
  });
}

type StudentInput = Pick<NewStudent, 'username'> & {
  readonly [Field in 'actualName' | DetailField]?: NewStudent[Field] | undefined;
};

export const withStudentDefaults = (
  input: StudentInput,
  classId: number,
): Omit<NewStudent, 'password' | 'passwordSource'> => ({
  username: input.username,
  actualName: input.actualName ?? input.username,
  ...mapNames(detailFields, (field) => input[field] ?? null),
  classId,
  disabled: false,
});

/** Creates one student, once per idempotency key. `buildAnswer` makes the answer in the same transaction. */
async function createOne<T extends object>(
  passwords: InitialPasswords,
  call: KeyedCall,
  input: StudentInput & { readonly classId: number; readonly password?: string | undefined },
  buildAnswer: (data: SchoolData, created: StudentIdentity, prepared: PreparedStudent) => T | Promise<T>,
) {
  const student = {
    ...withStudentDefaults(input, input.classId),
    password: input.password ?? null,
    passwordSource: input.password === undefined ? 'generated' : 'given',
  } as const;
  const prepare = () => preparePasswords(passwords, call.data, [student], call.at);
  return runOncePrepared(call, prepare, async (own, all) => {
    const [created] = await createStudents(own, all, call.at);
    if (!created || created instanceof AppError) throw created;
    const [prepared] = all as [PreparedStudent];
    return { ...(await buildAnswer(own, created, prepared)), ...passwordFields(prepared) };
  });
}

/**
 * Creates a batch, once per idempotency key. @param classOf returns an error for its entry, or throws it for all
 * @param withCodes adds a sign-in code to each generated password, for a printed slip
 */
async function createMany(
  passwords: InitialPasswords,
  call: KeyedCall,
  batch: {
    readonly entries: readonly Entry<StudentInput & { classId?: number }>[];
    readonly classId?: number | undefined;
    readonly defaultPassword?: string | undefined;
  },
  classOf: (classId: number | undefined) => number | AppError,
  withCodes = false,
) {
  const password = batch.defaultPassword ?? null;
  const passwordSource: PasswordSource = password === null ? 'generated' : 'shared';
  const entries = batch.entries.map((entry) => {
    if (entry.fault) {
      if (!hasClassId(entry.raw)) classOf(batch.classId);
      return { fault: new AppError(entry.fault.kind, entry.fault.message), raw: entry.raw };
    }
    const classId = classOf(entry.value.classId ?? batch.classId);
    if (classId instanceof AppError) return { fault: classId, raw: entry.value };
    return { student: { ...withStudentDefaults(entry.value, classId), password, passwordSource } };
  });
  const students = entries.flatMap((entry) => entry.student ?? []);
  const prepare = () => preparePasswords(passwords, call.data, students, call.at);
  return runOncePrepared(call, prepare, async (own, prepared): Promise<BulkAccounts> => {
    const created = await createStudents(own, prepared, call.at);
    const ids = created.flatMap((outcome) => (outcome instanceof AppError ? [] : outcome.id));
    const stored = withCodes ? prepared.find((student) => student.initialPassword)?.stored : null;
    const codes = await issuePrintedCodes(own, ids, stored, call.at);
    let next = 0;
    const details = entries.map((entry, index) => {
      if (!entry.student) return failedDetail(index, entry.fault, entry.raw);
      const password = prepared[next];
      const outcome = created[next++] as (typeof created)[number];
      if (outcome instanceof AppError) return failedDetail(index, outcome, entry.student);
      const { id, username } = outcome;
      const signInCode = codes.get(id);
      const shown = { ...passwordFields(password), ...(signInCode && { signInCode }) };
      return { index, success: true, code: 0, reason: null, username, id, ...shown };
    });
    const counts = countOutcomes(details);
    const shared = password !== null &&
      counts.successCount > 0 && { sharedPassword: sharedPasswordWarning(passwords, call.at) };
    return { ...counts, details, ...shared };
  });
}

function sharedPasswordWarning(passwords: InitialPasswords, at: Date) {
  return {
    expiresAt: passwords.expiryOf('shared', at)?.toISOString() ?? null,
    warning:
      'Everyone who knows this password can sign in as each of these students until they change it. Leave out defaultPassword to give every student a password of their own.',
  };
}

const hasClassId = (raw: unknown) => typeof raw === 'object' && raw !== null && 'classId' in raw;

export function passwordFields(student: Pick<StudentToStore, 'initialPassword' | 'stored'> | undefined): {
  initialPassword?: string;
  passwordEndsAt?: string | null;
} {
  if (!student?.stored) return {};
  const { initialPassword, stored } = student;
  return { ...(initialPassword !== null && { initialPassword }), ...passwordEndsAtField(stored) };
}

export function countOutcomes(details: readonly { readonly success: boolean }[]) {
  const successCount = details.filter(({ success }) => success).length;
  return { successCount, failedCount: details.length - successCount, totalCount: details.length };
}

export function failedDetail(index: number, fault: AppError, raw: unknown) {
  const username = (raw as { username?: unknown } | null)?.username;
  return {
    index,
    success: false,
    code: fault.code,
    reason: fault.message,
    username: typeof username === 'string' ? username : null,
    id: null,
  };
}
