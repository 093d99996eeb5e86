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
 * - an administrator's role, school, grade, class or disabling;
 * - a school's name, time zone or disabling, or a class's grade.
 * `tx` comes from `inTransaction`. Database triggers announce changes made by hand, but not on a distributed database.
 */
export function announceAccessChange(tx: Queryable, change: AccessChange): Promise<void> {
  return notifyAtCommit(tx, formatAccessChange(change));
}

/** Formats a change like the database triggers do, so PostgreSQL sends equal notices of one transaction only once. */
export function formatAccessChange(change: AccessChange): string {
  if ('credentialId' in change) return `credential ${change.credentialId}`;
  return 'issuerId' in change ? `issuer ${change.issuerId}` : `school ${change.schoolId}`;
}

/** Parses a notice. Returns null for an unknown form, as of another version; then anything may have changed. */
export function parseAccessChange(notice: string): AccessChange | null {
  const [, what, digits] = /^(credential|issuer|school) (\d+)$/.exec(notice) ?? [];
  const id = Number(digits);
  if (what === 'credential') return { credentialId: id };
  if (what === 'issuer') return { issuerId: id };
  return what === 'school' ? { schoolId: id } : null;
}
