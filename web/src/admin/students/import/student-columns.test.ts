import { describe, expect, it } from 'vitest';
import { assignColumn, fieldOfColumn, hasHeadings } from '../../lists/columns.ts';
import { findListWorksheet } from '../../lists/read-list.ts';
import { emptyDraft, replaceList, studentFields } from './student-columns.ts';

const sheet = (...rows: string[][]) => ({
  name: null,
  file: null,
  worksheets: [],
  worksheet: 0,
  rows: rows.map((cells, index) => ({ line: index + 1, cells })),
  merges: [],
  hiddenColumns: 0,
  uncalculated: new Set<number>(),
  paddedColumns: new Set<number>(),
  isGuess: false,
});

describe('Import draft', () => {
  it('guesses the columns of a new list and keeps other settings', () => {
    const { mapping, ...draft } = replaceList(emptyDraft(4), sheet(['姓名', '学号'], ['李伟', '1']));
    expect(draft).toMatchObject({ defaultClassId: 4, hasHeader: true });
    const held = [0, 1, 2].map((column) => fieldOfColumn(mapping, column));
    expect(held).toEqual(['actualName', 'username', null]);
  });

  it('keeps one column per field and one field per column', () => {
    const { mapping } = replaceList(emptyDraft(null), sheet(['a', 'b', 'c']));
    const moved = assignColumn(mapping, 2, 'username');
    expect(moved).toMatchObject({ username: 2, actualName: 1, className: null });
    const again = assignColumn(moved, 2, 'className');
    expect(again).toMatchObject({ username: null, actualName: 1, className: 2 });
    expect(assignColumn(moved, 1, null)).toMatchObject({ actualName: null });
  });
});

describe('Choice of a worksheet', () => {
  const instructions = [['说明'], ['请勿修改列标题']];
  const people = [
    ['学号', '姓名'],
    ['1', '李伟'],
  ];
  const chosenOf = async (...worksheets: (string[][] | null)[]) => {
    const read: number[] = [];
    const taken = await findListWorksheet(async (wanted) => {
      const worksheet = wanted ?? 0;
      read.push(worksheet);
      const rows = worksheets[worksheet];
      if (!rows) throw new Error('empty');
      return { ...sheet(...rows), worksheets: worksheets.map((_, index) => `Sheet${index}`), worksheet };
    }, hasHeadings(studentFields));
    return { chosen: taken.worksheet, read };
  };

  it('takes the first worksheet with headings, after instructions and empty worksheets', async () => {
    expect(await chosenOf(instructions, null, people, people)).toEqual({ chosen: 2, read: [0, 1, 2] });
  });

  it('takes the first worksheet if it has headings, or if no worksheet has headings', async () => {
    expect(await chosenOf(people, people)).toEqual({ chosen: 0, read: [0] });
    expect(await chosenOf(instructions, null, [['x']])).toEqual({ chosen: 0, read: [0, 1, 2] });
  });
});
