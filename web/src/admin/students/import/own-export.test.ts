import type { ListedStudent } from '@classledger/contract';
import { describe, expect, it } from 'vitest';
import { translatorOf } from '../../../i18n/texts.ts';
import { tableOf } from '../../../spreadsheets/csv.ts';
import { readRows } from '../../../spreadsheets/read-rows.ts';
import { tableBlob } from '../../../spreadsheets/table-blob.ts';
import { savedColumns } from '../student-cells.ts';
import { texts } from '../texts.ts';
import { importEntryOf, missingStudents } from './check-import.ts';
import { classOf, planOf, studentOf } from './testing/plans.ts';

const classes = [classOf(0, '初一 Grade 7', '1 班'), classOf(1, '初二 Grade 8', '1 班')];

const student = (id: number, username: string, actualName: string, more: Partial<ListedStudent> = {}) => {
  const classId = id % 2;
  const { gradeName = '', name = '' } = classes[classId] ?? {};
  const points = { totalScore: -2, addScore: 3, deductScore: -5, scoreCount: 4 };
  const place = { classId, gradeName, className: name, createdAt: '2026-09-01' };
  return studentOf(id, username, { actualName, ...points, ...place, ...more });
};
const students = [
  student(1, '20260001', '曾心怡', { externalId: 'G110101201501010011', cardNumber: '0004711' }),
  student(2, '007', 'Amélie Murphy', { disabled: true, cardNumber: '12345678901234567890' }),
  student(3, '-amy', '=SUM(A1)', { externalId: '00012' }),
  student(4, 'LiWei', '李伟'),
];

describe.each(['en', 'zh-CN'] as const)('Own export of students in %s', (language) => {
  it.each(['xlsx', 'csv'] as const)('proposes no change when imported again as %s', async (format) => {
    const columns = savedColumns(translatorOf(texts, language), (iso) => iso);
    const table = tableOf(columns, students);
    const file = Object.assign(await tableBlob(table, format), { name: `list.${format}` });
    const { rows } = await readRows(file);
    const plan = planOf(rows, { classes, students });
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
