import { expect, it } from 'vitest';
import { isPseudonym, usernamesOfNamesakes } from './student-names.ts';

const named = (actualName: string, username: string) => ({ actualName, username });

it('usernamesOfNamesakes finds names that differ only in case, blanks or invisible characters', () => {
  const shown = [
    named('张伟', '2601'),
    named('李娜', '2602'),
    named('张\u200B伟 ', '2603'),
    named('Ana  López', 'ana'),
    named('ana lópez', 'ana2'),
    named('Ana Lopes', 'ana3'),
  ];
  expect([...usernamesOfNamesakes(shown)].sort()).toEqual(['2601', '2603', 'ana', 'ana2']);
});

it('usernamesOfNamesakes counts a repeated student once', () => {
  expect([...usernamesOfNamesakes([named('张伟', '2601'), named('张伟', '2601')])]).toEqual([]);
});

it('isPseudonym needs both names to be the whole pseudonym', () => {
  expect(isPseudonym(named('Erased 92', 'Erased 92'))).toBe(true);
  expect(isPseudonym(named('Erased 92-4711', 'Erased 92-4711'))).toBe(true);
  expect(isPseudonym(named('Erased 92', '2601'))).toBe(false);
  expect(isPseudonym(named('Erased 92 times', 'Erased 92 times'))).toBe(false);
});
