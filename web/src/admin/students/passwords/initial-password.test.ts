import { expect, it } from 'vitest';
import { slipSheets } from './initial-password.ts';

const password = (username: string, classLabel: string) => ({
  ...{ username, classLabel, name: username },
  ...{ password: 'secret', passwordEndsAt: null, signInCode: null },
});

it.each([
  // All of one class.
  ['students', ['A 1/2: 8', 'A 2/2: 4', 'B 1/1: 1']],
  // Of any classes.
  ['staff', ['null 1/2: 8', 'null 2/2: 5']],
] as const)('a sheet of %s contains up to eight password slips', (whose, expected) => {
  const passwords = [...'AAAAABAAAAAAA'].map((label, n) => password(`u${n}`, label));
  const sheets = slipSheets(passwords, whose).map(
    ({ classLabel, n, of, passwords: own }) => `${classLabel} ${n}/${of}: ${own.length}`,
  );
  expect(sheets).toEqual(expected);
  expect(slipSheets([], whose)).toEqual([]);
});
