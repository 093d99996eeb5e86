import { describe, expect, it } from 'vitest';
import { passwordErrorsOf } from './new-password.ts';

describe('Password change form', () => {
  it.each([
    ['', '', '', { old: 'required', fresh: 'tooShort' }],
    ['old one', '12345', '12345', { fresh: 'tooShort' }],
    ['old one', '学学学学学学', '学学学学学学', {}],
    ['old one', 'old one', 'old one', { fresh: 'sameAsOld' }],
    ['old one', 'new one', 'new onE', { repeated: 'notTheSame' }],
    ['old one', ' spaces ', ' spaces ', {}],
  ])('reports the faults of old %j, new %j and repeated %j', (old, fresh, repeated, faults) => {
    expect(passwordErrorsOf({ old, fresh, repeated }, 6)).toEqual(faults);
  });
});
