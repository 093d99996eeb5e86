import { describe, expect, it } from 'vitest';
import { slipSheets } from './initial-password.ts';

const password = (username: string, classLabel: string) => ({
  username,
  classLabel,
  name: username,
  password: 'secret',
  passwordEndsAt: null,
  signInCode: null,
});

describe('Sheets of password slips', () => {
  it('contain up to eight slips, all of one class', () => {
    const many = Array.from({ length: 12 }, (_, n) => password(`a${n}`, 'Grade 1 Class A'));
    const sheets = slipSheets(
      [...many.slice(0, 5), password('b0', 'Grade 1 Class B'), ...many.slice(5)],
      'students',
    );
    expect(sheets.map(({ classLabel, n, of, passwords }) => [classLabel, n, of, passwords.length])).toEqual([
      ['Grade 1 Class A', 1, 2, 8],
      ['Grade 1 Class A', 2, 2, 4],
      ['Grade 1 Class B', 1, 1, 1],
    ]);
    expect(slipSheets([], 'students')).toEqual([]);
  });

  it('contain up to eight slips of class teachers of any classes', () => {
    const many = Array.from({ length: 10 }, (_, n) => password(`t${n}`, `Class ${n}`));
    const sheets = slipSheets(many, 'staff');
    expect(sheets.map(({ classLabel, n, of, passwords }) => [classLabel, n, of, passwords.length])).toEqual([
      [null, 1, 2, 8],
      [null, 2, 2, 2],
    ]);
  });
});
