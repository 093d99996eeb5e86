import type { ClassSummary, ListedStudent } from '@classledger/contract';
import { describe, expect, it } from 'vitest';
import { toHalfWidth } from '../../../i18n/letters.ts';
import { translatorOf } from '../../../i18n/texts.ts';
import { readRows } from '../../../spreadsheets/read-rows.ts';
import { tableBlob } from '../../../spreadsheets/table-blob.ts';
import { guessLayout, splitList } from '../../lists/columns.ts';
import { studentTable } from '../student-table.ts';
import { texts } from '../texts.ts';
import { importEntryOf, missingStudents } from './check-import.ts';
import { planImport } from './plan-import.ts';
import { studentFields } from './student-columns.ts';

const classes = [
  { id: 1, gradeName: '初一 Grade 7', name: '1 班' },
  { id: 2, gradeName: '初二 Grade 8', name: '1 班' },
] as ClassSummary[];

const student = (id: number, username: string, actualName: string, more: Partial<ListedStudent> = {}) => {
  const { id: classId, gradeName, name } = classes[id % 2] as ClassSummary;
  const points = { totalScore: -2, addScore: 3, deductScore: -5, scoreCount: 4 };
  const shared = { externalId: null, cardNumber: null, disabled: false, erased: false };
  return {
    ...{ id, username, actualName, classId, gradeName, className: name, createdAt: '2026-09-01' },
    ...{ ...points, ...shared, ...more },
  } as ListedStudent;
};
const students = [
  student(1, '20260001', '曾心怡', { externalId: 'G110101201501010011', cardNumber: '0004711' }),
  student(2, '007', 'Amélie Murphy', { disabled: true, cardNumber: '12345678901234567890' }),
  student(3, '-amy', '=SUM(A1)', { externalId: '00012' }),
  student(4, 'LiWei', '李伟'),
];

describe.each(['en', 'zh-CN'] as const)('Own export of students in %s', (language) => {
  it.each(['xlsx', 'csv'] as const)('proposes no change when imported again as %s', async (format) => {
    const table = studentTable(students, translatorOf(texts, language), (iso) => iso);
    const file = Object.assign(await tableBlob(table, format), { name: `list.${format}` });
    const { rows } = await readRows(file);
    const layout = guessLayout(rows, studentFields);
    const plan = planImport({
      rows: splitList(rows, layout).people,
      mapping: layout.mapping,
      classes,
      defaultClassId: null,
      known: {
        usernames: new Map(students.map(({ username }) => [toHalfWidth(username), username])),
        names: new Map(students.map(({ username, actualName }) => [username, actualName])),
        externalIds: new Set(students.flatMap(({ externalId }) => externalId ?? [])),
      },
    });
    expect(plan.map(({ problem }) => problem)).toEqual(students.map(() => null));
    expect(plan.map(importEntryOf).map(({ line: _, ...entry }) => entry)).toEqual(
      students.map(({ username, actualName, externalId, cardNumber, classId }) => ({
        ...{ username, actualName, classId },
        ...(externalId !== null && { externalId }),
        ...(cardNumber !== null && { cardNumber }),
      })),
    );
    expect(missingStudents(students, plan, new Map())).toEqual({ missing: [], doubtful: [] });
  });
});
