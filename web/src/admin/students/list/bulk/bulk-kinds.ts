import type { ListedStudent } from '@classledger/contract';
import { call } from '../../../../api/call.ts';
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
}

type MadePassword = Pick<InitialPassword, 'password' | 'signInCode'>;

/**
 * Does to one student what is to be done to all of them.
 *
 * @returns the new password, where there is one
 */
export async function doToOne(
  schoolDb: string,
  { kind, classId }: Pick<BulkOrder, 'kind' | 'classId'>,
  { id }: ListedStudent,
): Promise<MadePassword | null> {
  const params = { id };
  switch (kind) {
    case 'move':
      if (classId !== null) await call('updateUser', { params, body: { schoolDb, classId } });
      return null;
    case 'enable':
    case 'disable':
      await call('updateUser', { params, body: { schoolDb, disabled: kind === 'disable' } });
      return null;
    case 'resetPasswords': {
      const made = await call('resetUserPassword', { params, query: { schoolDb } });
      return { password: made.initialPassword, signInCode: made.signInCode ?? null };
    }
    case 'delete':
      await call('deleteUser', { params, query: { schoolDb } });
      return null;
  }
}
