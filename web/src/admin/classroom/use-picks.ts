import { limits } from 'virtual:contract';
import type { Picks } from '@classledger/contract';
import { useCallback, useMemo, useRef } from 'react';
import { connection } from '../../api/connection.ts';
import { useOperation } from '../../api/queries.ts';
import { isUnsettled, type MarkEntry } from '../outbox/entry.ts';
import { useOutbox, useUnsentMarks } from '../outbox/use-outbox.ts';
import { useIsToolEnabled } from '../use-is-tool-enabled.ts';
import { useCurrentSchoolDay } from './use-attendance.ts';

export interface ClassPicks {
  readonly ids: readonly number[];
  /** Reads today's picks, also those of other screens. Returns the known ones if offline or the answer is slow. */
  readonly fetchLatest: () => Promise<readonly number[]>;
  readonly mark: (picked: readonly number[], again: readonly number[]) => void;
}

/** After this long, a pick goes on without the picks of other screens. */
const picksTimeoutMs = 400;

export function usePicks(schoolDb: string, classId: number): ClassPicks {
  const isToolEnabled = useIsToolEnabled('pick');
  const query = { schoolDb, classId };
  const { data, dataUpdatedAt, refetch } = useOperation('getPicks', { query }, { enabled: isToolEnabled });
  const outbox = useOutbox();
  const unsent = useUnsentMarks();
  const currentDay = useCurrentSchoolDay(data?.day, dataUpdatedAt);
  const day = currentDay();
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
      ? pickedIds(answered.data, outbox.marks.filter(isUnsettled), classId, answered.data.day)
      : latest.current;
  }, [refetch, outbox, classId]);
  const mark = useCallback(
    (picked: readonly number[], again: readonly number[]) => {
      const others = again.filter((id) => !picked.includes(id));
      const of = { schoolDb, classId, day: currentDay() };
      const most = limits.scoresPerRequestMax;
      for (let from = 0; from < others.length || (from === 0 && picked.length > 0); from += most) {
        const againIds = others.slice(from, from + most);
        outbox.add({ kind: 'picks', body: { ...of, userIds: [...picked], againIds } });
      }
    },
    [outbox, schoolDb, classId, currentDay],
  );
  return { ids, fetchLatest, mark };
}

function pickedIds(
  known: Picks | undefined,
  unsent: readonly MarkEntry[],
  classId: number,
  day: string,
): readonly number[] {
  const picked = new Set(known?.day === day ? known.userIds : []);
  for (const { kind, body } of unsent) {
    if (kind !== 'picks' || body.classId !== classId || body.day !== day) continue;
    for (const id of body.againIds ?? []) picked.delete(id);
    for (const id of body.userIds) picked.add(id);
  }
  return [...picked];
}
