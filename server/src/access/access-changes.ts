import type { Queryable } from '../database/connect.ts';
import { giveNotice } from '../database/notices.ts';

/**
 * What has changed of that which decides about credentials: one of them, the administrator who issued them, or their
 * school with its name, time zone, grades and classes.
 */
export type AccessChange =
  | { readonly credentialId: number }
  | { readonly issuerId: number }
  | { readonly schoolId: number };

/**
 * Tells of a change with the commit of the transaction that makes it: to this process before the commit is answered, to
 * all others by a notification (docs/security.md, Access changes). Every statement that changes name, permissions,
 * expiry, disabling or revocation of a credential, role, place or disabling of an administrator, name, time zone or disabling of a
 * school, or the grade of a class, or deletes one of these, comes with it. The triggers of migration 0012 are for
 * changes by hand, and are not there on a distributed database.
 *
 * @param tx a transaction of `inTransaction`
 */
export function tellOfAccessChange(tx: Queryable, change: AccessChange): Promise<void> {
  return giveNotice(tx, noticeOf(change));
}

/** The words of the triggers, too: what a transaction says twice is sent once. */
export function noticeOf(change: AccessChange): string {
  if ('credentialId' in change) return `credential ${change.credentialId}`;
  return 'issuerId' in change ? `issuer ${change.issuerId}` : `school ${change.schoolId}`;
}

/** @returns null for what the version before says, which names nothing: anything may have changed */
export function accessChangeOf(notice: string): AccessChange | null {
  const [, what, digits] = /^(credential|issuer|school) (\d+)$/.exec(notice) ?? [];
  const id = Number(digits);
  if (what === 'credential') return { credentialId: id };
  if (what === 'issuer') return { issuerId: id };
  return what === 'school' ? { schoolId: id } : null;
}
