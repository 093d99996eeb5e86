import { limits } from 'virtual:contract';
import type { Picks } from '@classledger/contract';
import { useCallback, useMemo, useRef } from 'react';
import { connection } from '../../api/connection.ts';
import { useOperation } from '../../api/queries.ts';
import { useSchoolTime } from '../../school-time/school-time.ts';
import { isWaiting, type Mark } from '../marks/mark.ts';
import { useMarkQueue, useUnsentMarks } from '../marks/use-marks.ts';
import { useTool } from '../use-tool.ts';
import { dayNow } from './day-now.ts';
import { picksWaitMs } from './picks-wait.ts';

export interface ClassPicks {
  /** Who was picked today, as far as this browser knows. */
  readonly ids: readonly number[];
  /** The same, once the server was asked what other screens have picked; without a network, or where it is slow, as known. */
  readonly ask: () => Promise<readonly number[]>;
  /** Says who was picked, and who may be picked again. */
  readonly mark: (picked: readonly number[], again: readonly number[]) => void;
}

/** Whom the fair pick has taken in a class on this day of the school, on all screens. */
export function usePicks(schoolDb: string, classId: number): ClassPicks {
  const offered = useTool('pick');
  const query = { schoolDb, classId };
  const { data, dataUpdatedAt, refetch } = useOperation('getPicks', { query }, { enabled: offered });
  const queue = useMarkQueue();
  const unsent = useUnsentMarks();
  const time = useSchoolTime();
  const day = dayNow(time, data?.day, dataUpdatedAt);
  const ids = useMemo(() => pickedBy(data, unsent, classId, day), [data, unsent, classId, day]);
  const latest = useRef(ids);
  latest.current = ids;
  const ask = useCallback(async () => {
    if (!connection.get()) return latest.current;
    const slow = new Promise<null>((resolve) => {
      setTimeout(() => resolve(null), picksWaitMs);
    });
    const answered = await Promise.race([refetch(), slow]);
    return answered?.data
      ? pickedBy(answered.data, queue.marks.filter(isWaiting), classId, answered.data.day)
      : latest.current;
  }, [refetch, queue, classId]);
  const mark = useCallback(
    (picked: readonly number[], again: readonly number[]) => {
      const others = again.filter((id) => !picked.includes(id));
      const of = { schoolDb, classId, day: dayNow(time, data?.day, dataUpdatedAt) };
      const most = limits.scoresPerRequestMax;
      for (let from = 0; from < others.length || (from === 0 && picked.length > 0); from += most) {
        const againIds = others.slice(from, from + most);
        queue.add({ operation: 'markPicks', body: { ...of, userIds: [...picked], againIds } });
      }
    },
    [queue, schoolDb, classId, time, data?.day, dataUpdatedAt],
  );
  return { ids, ask, mark };
}

/** What the server knows, with what it has not heard yet. */
function pickedBy(
  known: Picks | undefined,
  unsent: readonly Mark[],
  classId: number,
  day: string,
): readonly number[] {
  const picked = new Set(known?.day === day ? known.userIds : []);
  for (const { operation, body } of unsent) {
    if (operation !== 'markPicks' || body.classId !== classId || body.day !== day) continue;
    for (const id of body.againIds ?? []) picked.delete(id);
    for (const id of body.userIds) picked.add(id);
  }
  return [...picked];
}
