import type { Queryable } from '../database/connect.ts';
import { notifyAtCommit } from '../database/notices.ts';

/** Names what changed: a credential, its issuer, or its school with grades and classes. */
export type AccessChange =
  | { readonly credentialId: number }
  | { readonly issuerId: number }
  | { readonly schoolId: number };

/**
 * Announces a change when its transaction commits (docs/security.md, Access changes). This process receives it before
 * the commit is answered; the others receive a notification. Call it wherever a statement deletes a credential,
 * administrator, school, grade or class. Call it also when a statement changes
 * - name, permissions, expiry, disabling or revocation of a credential;
 * - role, place or disabling of an administrator;
 * - name, time zone or disabling of a school, or the grade of a class.
 *
 * `tx` is of `inTransaction`. The triggers of `0007-credentials` cover manual changes, but not on a distributed database.
 */
export function announceAccessChange(tx: Queryable, change: AccessChange): Promise<void> {
  return notifyAtCommit(tx, formatAccessChange(change));
}

/** Formats a change the way the triggers do, so that a transaction sends duplicates once. */
export function formatAccessChange(change: AccessChange): string {
  if ('credentialId' in change) return `credential ${change.credentialId}`;
  return 'issuerId' in change ? `issuer ${change.issuerId}` : `school ${change.schoolId}`;
}

/** Parses a notice; null for a form of another version: anything may have changed. */
export function parseAccessChange(notice: string): AccessChange | null {
  const [, what, digits] = /^(credential|issuer|school) (\d+)$/.exec(notice) ?? [];
  const id = Number(digits);
  if (what === 'credential') return { credentialId: id };
  if (what === 'issuer') return { issuerId: id };
  return what === 'school' ? { schoolId: id } : null;
}
