import { type Mark, studentIdsOf } from './mark.ts';

export interface StuckMarks {
  readonly key: string;
  readonly marks: readonly [Mark, ...Mark[]];
  readonly ids: readonly number[];
}

/** Groups marks for display: sixty refused marks of a class become one entry. */
export function groupStuckMarks(marks: readonly Mark[]): readonly StuckMarks[] {
  const groups = new Map<string, [Mark, ...Mark[]]>();
  for (const mark of marks) {
    const { operation, body, state, problem } = mark;
    const attendanceState = 'state' in body ? body.state : null;
    const key = JSON.stringify([
      operation,
      body.schoolDb,
      body.classId,
      body.day,
      attendanceState,
      state,
      problem,
    ]);
    const group = groups.get(key);
    if (group) group.push(mark);
    else groups.set(key, [mark]);
  }
  return [...groups].map(([key, group]) => ({
    key,
    marks: group,
    ids: [...new Set(group.flatMap(shownStudentIds))],
  }));
}

/** Leaves out `againIds`: they were not picked. */
const shownStudentIds = (mark: Mark) =>
  mark.operation === 'markPicks' && mark.body.userIds.length > 0 ? mark.body.userIds : studentIdsOf(mark);
