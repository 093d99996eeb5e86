import { expect, it } from 'vitest';
import { namesakesAmong } from './student-names.ts';

const named = (actualName: string, username: string) => ({ actualName, username });

it('finds those of one name, however it is written', () => {
  const shown = [
    named('张伟', '2601'),
    named('李娜', '2602'),
    named('张\u200B伟 ', '2603'),
    named('Ana  López', 'ana'),
    named('ana lópez', 'ana2'),
    named('Ana Lopes', 'ana3'),
  ];
  expect([...namesakesAmong(shown)].sort()).toEqual(['2601', '2603', 'ana', 'ana2']);
});

it('takes one who is shown twice as one', () => {
  expect([...namesakesAmong([named('张伟', '2601'), named('张伟', '2601')])]).toEqual([]);
});
