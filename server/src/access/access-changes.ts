import type { Queryable } from '../database/connect.ts';
import { notifyAtCommit } from '../database/notices.ts';

export type AccessChange =
  | { readonly credentialId: number }
  | { readonly issuerId: number }
  | { readonly schoolId: number };

/**
 * Announces a change when its transaction commits (docs/security.md, Access changes). Call it for every deleted
 * credential, administrator, school, grade or class, and for changes of
 * - a credential's name, permissions, expiry, disabling or revocation;
 * - an administrator's role, place or disabling;
 * - a school's name, time zone or disabling, or a class's grade.
 * `tx` is of `inTransaction`. Triggers announce manual changes, but not on a distributed database.
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
