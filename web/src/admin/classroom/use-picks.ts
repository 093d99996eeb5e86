import { limits } from 'virtual:contract';
import type { Picks } from '@classledger/contract';
import { useCallback, useMemo, useRef } from 'react';
import { connection } from '../../api/connection.ts';
import { useOperation } from '../../api/queries.ts';
import { useSchoolTime } from '../../school-time/school-time.ts';
import { isWaiting, type Mark } from '../marks/mark.ts';
import { useMarkQueue, useUnsentMarks } from '../marks/use-marks.ts';
import { useTool } from '../use-tool.ts';
import { currentSchoolDay } from './current-school-day.ts';
import { picksTimeoutMs } from './picks-timeout.ts';

export interface ClassPicks {
  readonly ids: readonly number[];
  /** Fetches the picks of other screens first. Returns the known ones when offline or after a short wait. */
  readonly fetchLatest: () => Promise<readonly number[]>;
  readonly mark: (picked: readonly number[], again: readonly number[]) => void;
}

export function usePicks(schoolDb: string, classId: number): ClassPicks {
  const isToolEnabled = useTool('pick');
  const query = { schoolDb, classId };
  const { data, dataUpdatedAt, refetch } = useOperation('getPicks', { query }, { enabled: isToolEnabled });
  const queue = useMarkQueue();
  const unsent = useUnsentMarks();
  const time = useSchoolTime();
  const day = currentSchoolDay(time, data?.day, dataUpdatedAt);
  const ids = useMemo(() => pickedIds(data, unsent, classId, day), [data, unsent, classId, day]);
  const latest = useRef(ids);
  latest.current = ids;
  const fetchLatest = useCallback(async () => {
    if (!connection.get()) return latest.current;
    const slow = new Promise<null>((resolve) => {
      setTimeout(() => resolve(null), picksTimeoutMs);
    });
    const answered = await Promise.race([refetch(), slow]);
    return answered?.data
      ? pickedIds(answered.data, queue.marks.filter(isWaiting), classId, answered.data.day)
      : latest.current;
  }, [refetch, queue, classId]);
  const mark = useCallback(
    (picked: readonly number[], again: readonly number[]) => {
      const others = again.filter((id) => !picked.includes(id));
      const of = { schoolDb, classId, day: currentSchoolDay(time, data?.day, dataUpdatedAt) };
      const most = limits.scoresPerRequestMax;
      for (let from = 0; from < others.length || (from === 0 && picked.length > 0); from += most) {
        const againIds = others.slice(from, from + most);
        queue.add({ operation: 'markPicks', body: { ...of, userIds: [...picked], againIds } });
      }
    },
    [queue, schoolDb, classId, time, data?.day, dataUpdatedAt],
  );
  return { ids, fetchLatest, mark };
}

function pickedIds(
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
