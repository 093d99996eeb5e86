import { describe, expect, it } from 'vitest';
import { guessLayout } from '../../lists/columns.ts';
import { type KnownStudents, mayBeRounded, planImport } from './plan-import.ts';
import { studentFields } from './student-columns.ts';

const [number, other] = ['3701022010010110000', '3701022010010120000'] as const;
const known: KnownStudents = {
  usernames: new Map([[number, number]]),
  names: new Map([[number, '欧阳 娜娜']]),
  externalIds: new Set(),
};

interface Cells {
  readonly shown: string;
  readonly name: string;
  readonly digits?: string;
}

const plan = (people: readonly Cells[]) =>
  planImport({
    rows: people.map(({ shown, name, digits }, index) => ({
      line: index + 1,
      cells: [shown, name],
      ...(digits !== undefined && { digits: new Map([[0, digits]]) }),
    })),
    mapping: { ...guessLayout([], studentFields).mapping, username: 0, actualName: 1 },
    classes: [],
    defaultClassId: null,
    known,
  });

describe('Number that a spreadsheet rounded', () => {
  it('is rejected unless number and name match a student', () => {
    const shown = '3.70102E+18';
    const people = [
      { shown, name: '欧阳娜娜', digits: number },
      { shown, name: '李伟', digits: number },
      { shown, name: '', digits: number },
      { shown, name: '欧阳娜娜', digits: other },
      { shown, name: '欧阳娜娜' },
    ];
    const refused = [shown, 'numberRounded'];
    expect(plan(people).map(({ username, problem }) => [username, problem])).toEqual([
      [number, null],
      ...Array(4).fill(refused),
    ]);
    expect(plan([{ shown: number, name: '李伟' }])).toMatchObject([{ username: number, problem: null }]);
  });

  it('is suspected when all numbers of a list are long and end in zeros', () => {
    const doubtful = (...usernames: string[]) =>
      mayBeRounded(plan(usernames.map((shown) => ({ shown, name: 'A' }))));
    expect(doubtful('370102201001011000', '370102201001012000', '7')).toBe(true);
    expect(doubtful('370102201001011000', '370102201001012003')).toBe(false);
    expect(doubtful('2026000000', '2026000010')).toBe(false);
  });
});
