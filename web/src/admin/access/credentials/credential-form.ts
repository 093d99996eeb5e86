import type { ScopeType } from '@classledger/contract';
import { hasStatus } from '../../../api/api-failure.ts';
import { serverNow } from '../../../school-time/school-time.ts';

export type Expiry = number | 'never' | 'keep';

export function presetDays(maxDays: number): readonly number[] {
  return [...new Set([30, 90, 180, 365, maxDays].filter((days) => days <= maxDays))].sort((a, b) => a - b);
}

export function defaultExpiry(maxDays: number): Expiry {
  return Math.min(90, maxDays);
}

export function isExpiryUsable(expiry: Expiry, maxDays: number): boolean {
  return typeof expiry === 'string' || (Number.isInteger(expiry) && expiry >= 1 && expiry <= maxDays);
}

/** Returns the value for the API; undefined leaves the expiry unchanged. */
export function expiresInDays(expiry: Expiry): number | null | undefined {
  if (expiry === 'keep') return undefined;
  return expiry === 'never' ? null : expiry;
}

/** Returns the time that is so many days from now, in ISO 8601. */
export function expiryTime(days: number, now = serverNow()): string {
  return new Date(now + days * 86_400_000).toISOString();
}

export interface ChosenScope {
  readonly type: ScopeType;
  readonly gradeId: number | null;
  readonly classId: number | null;
}

export function isScopeComplete({ type, gradeId, classId }: ChosenScope): boolean {
  return type === 'school' || (type === 'grade' ? gradeId !== null : classId !== null);
}

/** Returns the fields for the API, which accepts only those of the chosen type. */
export function scopeFields({ type, gradeId, classId }: ChosenScope) {
  return {
    scopeType: type,
    ...(type === 'grade' && { scopeGradeId: gradeId }),
    ...(type === 'class' && { scopeClassId: classId }),
  };
}

/** Returns a terminal command that tests a credential. Tokens and origins have no characters that need quotes. */
export function pingCommand(origin: string, token: string): string {
  return `curl -H "Authorization: Bearer ${token}" ${origin}/api/v1/ping`;
}

/** Tells a wrong password from a target outside the user's range by the server's message: the status is the same. */
export const isPasswordWrong = (error: unknown): boolean =>
  hasStatus(error, 403) && error.message.includes('x-confirm-password');
