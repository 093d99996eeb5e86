import { call, newIdempotencyKey } from '../../../api/call.ts';
import { type Batch, ListRun } from '../../lists/list-run.ts';
import type { StoredRun } from '../../lists/stored-runs.ts';
import { useStoredRun } from '../../lists/use-stored-run.ts';
import { useSchool } from '../../school.tsx';
import { batchesOf, type PlannedTeacher, requestEntriesOf, type TeacherOutcome } from './plan-teachers.ts';

export interface SkippedTeacher {
  readonly row: PlannedTeacher;
  readonly fate: TeacherOutcome;
}

interface StoredTeacherRun extends StoredRun<Batch<PlannedTeacher>> {
  readonly source: 'teachers';
  readonly left: readonly SkippedTeacher[];
}

export function useTeacherRun() {
  const { schoolDb } = useSchool();
  const { begin, ...kept } = useStoredRun<StoredTeacherRun>({
    source: 'teachers',
    createRun: ({ batches }) =>
      new ListRun<Batch<PlannedTeacher>>(batches, ({ rows, key }) =>
        call('assignClassTeachers', {
          body: { schoolDb, teachers: requestEntriesOf(rows) },
          idempotencyKey: key,
        }),
      ),
    operations: ['assignClassTeachers'],
  });
  const start = (rows: readonly PlannedTeacher[], left: readonly SkippedTeacher[]) =>
    begin({
      source: 'teachers',
      batches: batchesOf(rows).map((part) => ({ rows: part, key: newIdempotencyKey() })),
      left,
    });
  return { ...kept, start };
}
