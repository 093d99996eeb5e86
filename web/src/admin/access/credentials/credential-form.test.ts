import { describe, expect, it } from 'vitest';
import { endOf, expiresInDays, firstExpiry, isExpiryUsable, presetDays } from './expiry.ts';
import { pingCommand } from './ping-command.ts';
import { isScopeComplete, scopeFields } from './scope.ts';

describe('the validity of a credential', () => {
  it('is offered up to the allowed maximum, which is among the choices', () => {
    expect(presetDays(365)).toEqual([30, 90, 180, 365]);
    expect(presetDays(100)).toEqual([30, 90, 100]);
    expect(presetDays(7)).toEqual([7]);
    expect(firstExpiry(7)).toBe(7);
  });

  it('is whole days in bounds, never, or as it is', () => {
    expect(isExpiryUsable(365, 365)).toBe(true);
    for (const days of [0, 1.5, 366, Number.NaN]) expect(isExpiryUsable(days, 365)).toBe(false);
    expect([30, 'never', 'keep'].map((one) => expiresInDays(one as never))).toEqual([30, null, undefined]);
    expect(endOf(1, 0)).toBe('1970-01-02T00:00:00.000Z');
  });
});

describe('the range of a credential', () => {
  it('is complete with what its type needs', () => {
    expect(isScopeComplete({ type: 'school', gradeId: null, classId: null })).toBe(true);
    expect(isScopeComplete({ type: 'grade', gradeId: null, classId: null })).toBe(false);
    expect(isScopeComplete({ type: 'class', gradeId: 3, classId: null })).toBe(false);
  });

  it('names what it is, and nothing above it', () => {
    expect(scopeFields({ type: 'school', gradeId: 3, classId: 12 })).toEqual({ scopeType: 'school' });
    expect(scopeFields({ type: 'class', gradeId: 3, classId: 12 })).toEqual({
      scopeType: 'class',
      scopeClassId: 12,
    });
  });
});

it('makes a line that can be pasted', () => {
  expect(pingCommand('https://points.example.org', 'cls_abc')).toBe(
    'curl -H "Authorization: Bearer cls_abc" https://points.example.org/api/v1/ping',
  );
});
