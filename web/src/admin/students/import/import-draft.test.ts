import { describe, expect, it } from 'vitest';
import { fieldOf, withColumn } from '../../lists/columns.ts';
import { emptyDraft, withList } from './import-draft.ts';

const sheet = (...rows: string[][]) => ({
  name: null,
  file: null,
  worksheets: [],
  worksheet: 0,
  rows: rows.map((cells, index) => ({ line: index + 1, cells })),
  paddedColumns: new Set<number>(),
  isGuess: false,
});

describe('what is set before an import', () => {
  it('guesses the columns of a new list and keeps the rest', () => {
    const draft = emptyDraft(4);
    const next = withList(draft, sheet(['姓名', '学号'], ['李伟', '1']));
    expect(next).toMatchObject({ defaultClassId: 4, hasHeader: true });
    expect([0, 1, 2].map((column) => fieldOf(next.mapping, column))).toEqual([
      'actualName',
      'username',
      null,
    ]);
  });

  it('lets a field be held by one column, and a column hold one field', () => {
    const { mapping } = withList(emptyDraft(null), sheet(['a', 'b', 'c']));
    const moved = withColumn(mapping, 2, 'username');
    expect(moved).toEqual({
      username: 2,
      actualName: 1,
      gradeName: null,
      className: null,
      externalId: null,
      cardNumber: null,
    });
    expect(withColumn(moved, 2, 'className')).toEqual({
      username: null,
      actualName: 1,
      gradeName: null,
      className: 2,
      externalId: null,
      cardNumber: null,
    });
    expect(withColumn(moved, 1, null)).toMatchObject({ actualName: null });
  });
});
