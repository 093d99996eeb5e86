import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { findMutants, instrument } from './mutants.ts';

const source = `
const limit = 17 + 1;
function mayEnter(age, names, told) {
  if (names.length === 0) return 'nobody';
  if (age < limit && !names.some((name) => name === 'guide')) {
    told.push('too young');
    return 'no';
  }
  console.log('came in', age + 1);
  return names.filter((name) => name !== 'guide').join(told[0] ?? ' and ');
}
mayEnter`;

function answers(active: string): string {
  const context = { mutants: { active, reached: new Set() }, console: { log: () => {} } };
  const mayEnter = runInNewContext(instrument('door.js', source), context);
  const calls = [
    [20, [], []],
    [18, ['a'], []],
    [17, ['a', 'b'], []],
    [20, ['a', 'b', 'guide'], []],
    [20, ['a', 'b'], ['; ']],
    [17, ['guide', 'a'], []],
    [17, ['guide'], []],
  ] as const;
  return JSON.stringify(
    calls.map(([age, names, given]) => {
      const told: string[] = [...given];
      return [mayEnter(age, names, told), told];
    }),
  );
}

describe('Mutants', () => {
  it('change no answer while inactive, and at least one answer while active', () => {
    const mutants = findMutants('door.js', source);
    expect(mutants.map(({ line, original, replacement }) => `${line} ${original} -> ${replacement}`)).toEqual(
      [
        '4 names.length === 0 -> names.length !== 0',
        '4 0 -> 1',
        "4 return 'nobody'; -> ",
        "5 age < limit && !names.some((name) => name === 'guide') -> !(age < limit && !names.some((name) => name === 'guide'))",
        "5 age < limit && !names.some((name) => name === 'guide') -> age < limit || !names.some((name) => name === 'guide')",
        '5 age < limit -> age <= limit',
        "5 !names.some((name) => name === 'guide') -> names.some((name) => name === 'guide')",
        "5 names.some((name) => name === 'guide') -> names.every((name) => name === 'guide')",
        "5 name === 'guide' -> name !== 'guide'",
        "5 { told.push('too young'); return 'no'; } -> ",
        "6 told.push('too young'); -> ",
        "10 names.filter((name) => name !== 'guide') -> names",
        "10 name !== 'guide' -> name === 'guide'",
        "10 told[0] ?? ' and ' -> told[0]",
        '10 0 -> 1',
      ],
    );
    const usual = answers('');
    expect(mutants.filter(({ id }) => answers(id) === usual)).toEqual([]);
  });

  it('keep their ids when lines move, but not when the mutated code or its function changes', () => {
    const ids = (text: string) => findMutants('door.js', text).map(({ id }) => id);
    expect(ids(`// Who comes in?\n\n${source}`)).toEqual(ids(source));
    expect(ids(source.replaceAll('mayEnter', 'maySee'))).not.toContain(ids(source)[0]);
    expect(new Set(ids(source.repeat(2))).size).toBe(2 * ids(source).length);
  });
});
