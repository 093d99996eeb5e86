import { serverNow } from '../../../school-time/server-clock.ts';

/** How long a credential is to be valid: so many days from now, without end, or as it is. */
export type Expiry = number | 'never' | 'keep';

/** Validities that are offered as they are, in days; the longest that is allowed among them. */
export function presetDays(maxDays: number): readonly number[] {
  return [...new Set([30, 90, 180, 365, maxDays].filter((days) => days <= maxDays))].sort((a, b) => a - b);
}

/** What a new credential begins with: long enough to be useful, short enough to be renewed. */
export function firstExpiry(maxDays: number): Expiry {
  return Math.min(90, maxDays);
}

export function isExpiryUsable(expiry: Expiry, maxDays: number): boolean {
  return typeof expiry === 'string' || (Number.isInteger(expiry) && expiry >= 1 && expiry <= maxDays);
}

/** As the API takes it; undefined leaves what is there. */
export function expiresInDays(expiry: Expiry): number | null | undefined {
  if (expiry === 'keep') return undefined;
  return expiry === 'never' ? null : expiry;
}

/** The day on which a validity that begins now ends, ISO 8601. */
export function endOf(days: number, now = serverNow()): string {
  return new Date(now + days * 86_400_000).toISOString();
}
