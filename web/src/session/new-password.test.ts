import { describe, expect, it } from 'vitest';
import { faultsOf } from './new-password.ts';

describe('a change of the password', () => {
  it.each([
    ['', '', '', { old: 'required', fresh: 'tooShort' }],
    ['old one', '12345', '12345', { fresh: 'tooShort' }],
    ['old one', '学学学学学学', '学学学学学学', {}],
    ['old one', 'old one', 'old one', { fresh: 'sameAsOld' }],
    ['old one', 'new one', 'new onE', { repeated: 'notTheSame' }],
    ['old one', ' spaces ', ' spaces ', {}],
  ])('from %j to %j and %j', (old, fresh, repeated, faults) => {
    expect(faultsOf({ old, fresh, repeated }, 6)).toEqual(faults);
  });
});
