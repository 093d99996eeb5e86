import { describe, expect, it } from 'vitest';
import {
  defaultExpiry,
  expiresInDays,
  expiryTime,
  isExpiryUsable,
  isScopeComplete,
  presetDays,
  scopeFields,
} from './credential-form.ts';

describe('Validity of a credential', () => {
  it('offers preset days up to the maximum, and the maximum itself', () => {
    expect(presetDays(365)).toEqual([30, 90, 180, 365]);
    expect(presetDays(100)).toEqual([30, 90, 100]);
    expect(presetDays(7)).toEqual([7]);
    expect(defaultExpiry(7)).toBe(7);
  });

  it('is a whole number of days up to the maximum, endless, or left unchanged', () => {
    expect(isExpiryUsable(365, 365)).toBe(true);
    for (const days of [0, 1.5, 366, Number.NaN]) expect(isExpiryUsable(days, 365)).toBe(false);
    expect([30, 'never', 'keep'].map((one) => expiresInDays(one as never))).toEqual([30, null, undefined]);
    expect(expiryTime(1, 0)).toBe('1970-01-02T00:00:00.000Z');
  });
});

describe('Range of a credential', () => {
  it('is complete when it has the grade or class that its type needs', () => {
    expect(isScopeComplete({ type: 'school', gradeId: null, classId: null })).toBe(true);
    expect(isScopeComplete({ type: 'grade', gradeId: null, classId: null })).toBe(false);
    expect(isScopeComplete({ type: 'class', gradeId: 3, classId: null })).toBe(false);
  });

  it('is sent with only the grade or class of its type', () => {
    expect(scopeFields({ type: 'school', gradeId: 3, classId: 12 })).toEqual({ scopeType: 'school' });
    expect(scopeFields({ type: 'class', gradeId: 3, classId: 12 })).toEqual({
      scopeType: 'class',
      scopeClassId: 12,
    });
  });
});
