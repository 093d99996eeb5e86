import { idsOf, type Mark } from './mark.ts';

/** Marks of a class and a day that say the same, of whom the same became: shown and decided about as one. */
export interface StuckMarks {
  readonly key: string;
  readonly marks: readonly [Mark, ...Mark[]];
  /** Of whom they say it. */
  readonly ids: readonly number[];
}

/** What is to be shown of marks: a class of sixty that was refused is one entry, not sixty. */
export function stuckTogether(marks: readonly Mark[]): readonly StuckMarks[] {
  const groups = new Map<string, [Mark, ...Mark[]]>();
  for (const mark of marks) {
    const { operation, body, state, problem } = mark;
    const said = 'state' in body ? body.state : null;
    const key = JSON.stringify([operation, body.schoolDb, body.classId, body.day, said, state, problem]);
    const group = groups.get(key);
    if (group) group.push(mark);
    else groups.set(key, [mark]);
  }
  return [...groups].map(([key, group]) => ({
    key,
    marks: group,
    ids: [...new Set(group.flatMap(takenBy))],
  }));
}

/** Those of a pick who may be picked again are not what it is about. */
const takenBy = (mark: Mark) =>
  mark.operation === 'markPicks' && mark.body.userIds.length > 0 ? mark.body.userIds : idsOf(mark);
