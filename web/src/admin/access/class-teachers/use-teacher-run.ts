import { call, newIdempotencyKey } from '../../../api/call.ts';
import type { RunToKeep } from '../../lists/kept-runs.ts';
import { type Batch, ListRun } from '../../lists/list-run.ts';
import { useKeptRun } from '../../lists/use-kept-run.ts';
import { useSchool } from '../../school.tsx';
import { entriesOf, type PlannedTeacher, partsOf, type TeacherFate } from './plan-teachers.ts';

export interface LeftTeacher {
  readonly row: PlannedTeacher;
  readonly fate: TeacherFate;
}

interface KeptTeachers extends RunToKeep<Batch<PlannedTeacher>> {
  readonly source: 'teachers';
  readonly left: readonly LeftTeacher[];
}

export function useTeacherRun() {
  const { schoolDb } = useSchool();
  const { begin, ...kept } = useKeptRun<KeptTeachers>({
    source: 'teachers',
    make: ({ batches }) =>
      new ListRun<Batch<PlannedTeacher>>(batches, ({ rows, key }) =>
        call('assignClassTeachers', {
          body: { schoolDb, teachers: entriesOf(rows) },
          idempotencyKey: key,
        }),
      ),
    operations: ['assignClassTeachers'],
  });
  const start = (rows: readonly PlannedTeacher[], left: readonly LeftTeacher[]) =>
    begin({
      source: 'teachers',
      batches: partsOf(rows).map((part) => ({ rows: part, key: newIdempotencyKey() })),
      left,
    });
  return { ...kept, start };
}
