import { type ChangeType, Class, Grade, ScoreRecord, Student, Template } from '@classledger/contract';
import type { TObject } from 'typebox';
import type { SchoolData } from '../../access/school-data.ts';
import { findRevoked, scoresByIds } from '../scores/list-scores.ts';
import { classesByIds } from '../structure/classes.ts';
import { gradesByIds } from '../structure/grades.ts';
import { studentsByIds } from '../students/list-students.ts';
import { templatesByIds } from '../templates/templates.ts';

interface RecordKind {
  readonly schema: TObject;
  readonly read: (data: SchoolData, ids: readonly number[]) => Promise<readonly { readonly id: number }[]>;
}

const kinds: Readonly<Record<ChangeType, RecordKind>> = {
  student: { schema: Student, read: studentsByIds },
  score: { schema: ScoreRecord, read: scoresByIds },
  grade: { schema: Grade, read: gradesByIds },
  class: { schema: Class, read: classesByIds },
  template: { schema: Template, read: templatesByIds },
};

type Records = ReadonlyMap<number, object>;

/** Reads changed records, without those that the external API's lists hide. */
export async function lookUpRecords(
  data: SchoolData,
  references: readonly { readonly type: ChangeType; readonly id: number }[],
): Promise<{ records: ReadonlyMap<ChangeType, Records>; revoked: ReadonlySet<number> }> {
  const records = new Map<ChangeType, Records>();
  const byType = Map.groupBy(references, ({ type }) => type);
  for (const [type, some] of byType) {
    const { schema: shown, read } = kinds[type];
    const names = Object.keys(shown.properties);
    const ids = some.map(({ id }) => id);
    const rows = await read(data, ids);
    const fieldsOf = (row: object) =>
      Object.fromEntries(names.map((name) => [name, (row as Readonly<Record<string, unknown>>)[name]]));
    records.set(type, new Map(rows.map((row) => [row.id, fieldsOf(row)])));
  }
  const scores = (byType.get('score') ?? []).map(({ id }) => id);
  const gone = scores.filter((id) => !records.get('score')?.has(id));
  return { records, revoked: gone.length > 0 ? await findRevoked(data, gone) : new Set() };
}
