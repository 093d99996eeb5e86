import type { ListedStudent } from '@classledger/contract';
import { call, newIdempotencyKey } from '../../../../api/call.ts';
import { classLabelOf } from '../../actions/student-action.ts';
import type { InitialPassword } from '../../passwords/initial-password.ts';

/** What can be done to several students at once. */
export const bulkKinds = ['move', 'enable', 'disable', 'resetPasswords', 'delete'] as const;
export type BulkKind = (typeof bulkKinds)[number];

/** What was chosen to be done. */
export interface BulkOrder {
  readonly kind: BulkKind;
  readonly students: readonly ListedStudent[];
  /** Of a move. */
  readonly classId: number | null;
  /** Of new passwords: whoever has chosen one of their own keeps it. */
  readonly onlyInitial: boolean;
}

/** Students that one call is about. */
export interface BulkGroup {
  readonly students: readonly ListedStudent[];
  /** Makes a repetition harmless where passwords would be lost with the answer. */
  readonly key: string;
}

/** So many new passwords take about a second. */
const passwordsAtOnce = 20;

const alone = (student: ListedStudent): BulkGroup => ({ students: [student], key: '' });

/**
 * The calls that an order takes: new passwords are made class by class, in the order in which the school has them. Whoever was erased
 * gets none, and has a call alone, because all of a call do or nobody.
 */
export function groupsOf(kind: BulkKind, students: readonly ListedStudent[]): BulkGroup[] {
  if (kind !== 'resetPasswords') return students.map(alone);
  const erased = students.filter((student) => student.erased);
  const present = students
    .filter((student) => !student.erased)
    .toSorted((one, other) => one.gradeId - other.gradeId || one.classId - other.classId);
  const groups = [...Map.groupBy(present, ({ classId }) => classId).values()].flatMap((own) =>
    Array.from({ length: Math.ceil(own.length / passwordsAtOnce) }, (_, n) => ({
      students: own.slice(n * passwordsAtOnce, (n + 1) * passwordsAtOnce),
      key: newIdempotencyKey(),
    })),
  );
  return [...groups, ...erased.map((student) => ({ ...alone(student), key: newIdempotencyKey() }))];
}

/**
 * Does to a group of students what is to be done to all of them.
 *
 * @returns the new passwords, where there are any, in the order of the students
 */
export async function doToGroup(
  schoolDb: string,
  { kind, classId, onlyInitial }: Omit<BulkOrder, 'students'>,
  { students, key }: BulkGroup,
): Promise<InitialPassword[]> {
  const [first] = students;
  if (kind === 'resetPasswords' && first) {
    const userIds = students.map(({ id }) => id);
    const body = { schoolDb, classId: first.classId, userIds, onlyInitial };
    const made = await call('resetUserPasswords', { body, idempotencyKey: key });
    const byId = new Map(made.students.map((one) => [one.id, one]));
    return students.flatMap((student) => {
      const own = byId.get(student.id);
      if (!own) return [];
      const { username, initialPassword: password, passwordEndsAt = null, signInCode = null } = own;
      const { actualName: name } = student;
      return [{ username, name, classLabel: classLabelOf(student), password, passwordEndsAt, signInCode }];
    });
  }
  for (const { id } of students) {
    const params = { id };
    if (kind === 'delete') await call('deleteUser', { params, query: { schoolDb } });
    else if (kind !== 'move')
      await call('updateUser', { params, body: { schoolDb, disabled: kind === 'disable' } });
    else if (classId !== null) await call('updateUser', { params, body: { schoolDb, classId } });
  }
  return [];
}
