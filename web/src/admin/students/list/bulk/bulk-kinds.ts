import type { ListedStudent } from '@classledger/contract';
import { call, newIdempotencyKey } from '../../../../api/call.ts';
import { classLabelOf } from '../../actions/student-action.ts';
import type { InitialPassword } from '../../passwords/initial-password.ts';

export const bulkKinds = ['move', 'enable', 'disable', 'resetPasswords', 'delete'] as const;
export type BulkKind = (typeof bulkKinds)[number];

export interface BulkAction {
  readonly kind: BulkKind;
  readonly students: readonly ListedStudent[];
  readonly classId: number | null;
  /** For `resetPasswords`: true keeps passwords that students have chosen themselves. */
  readonly onlyInitial: boolean;
}

export interface BulkGroup {
  readonly students: readonly ListedStudent[];
  /** Idempotency key of a request that makes passwords, because a lost answer would lose them; otherwise empty. */
  readonly key: string;
}

/** Making this many passwords takes about a second. */
const passwordsAtOnce = 20;

const singleGroup = (student: ListedStudent): BulkGroup => ({ students: [student], key: '' });

/** Splits an order into requests. A request fails as a whole, so erased students, who get no password, go alone. */
export function bulkGroupsOf(kind: BulkKind, students: readonly ListedStudent[]): BulkGroup[] {
  if (kind !== 'resetPasswords') return students.map(singleGroup);
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
  return [...groups, ...erased.map((student) => ({ ...singleGroup(student), key: newIdempotencyKey() }))];
}

/** Carries out an order for one group. Returns the new passwords in the order of the students, if any. */
export async function runBulkGroup(
  schoolDb: string,
  { kind, classId, onlyInitial }: Omit<BulkAction, 'students'>,
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
