import { limits } from 'virtual:contract';
import { useQueryClient } from '@tanstack/react-query';
import { useLayoutEffect, useMemo, useRef } from 'react';
import { useMe } from '../../me.ts';
import { getScoringQueue } from '../../outbox/open-outbox.ts';
import { cachedRoster, useRoster } from '../roster.ts';
import { absentIdsOf, useAttendance } from '../use-attendance.ts';
import { ScoringBoard } from './scoring-board.ts';

/** Reads the roster this often, because other teachers give points too. */
export const rosterRefreshMs = 5_000;

/** Creates the board of a class. Makes it read the roster and the absences again when they change. */
export function useScoringBoard(schoolDb: string, classId: number) {
  const client = useQueryClient();
  const queue = getScoringQueue(client, useMe().id);
  const { sheet, mark } = useAttendance(schoolDb, classId);
  const roster = useRoster(schoolDb, classId, rosterRefreshMs);
  // A ref, because the board stays the same when the absences change, even to another day.
  const attendance = useRef({ sheet: sheet.data, mark });
  useLayoutEffect(() => {
    attendance.current = { sheet: sheet.data, mark };
  });
  const board = useMemo(
    () =>
      new ScoringBoard({
        schoolDb,
        classId,
        queue,
        roster: cachedRoster(client, schoolDb, classId),
        absentees: {
          read: () => absentIdsOf(attendance.current.sheet),
          mark: (ids, absent) => attendance.current.mark(ids, absent ? 'absent' : 'present'),
        },
        studentsPerRequestMax: limits.scoresPerRequestMax,
        now: () => performance.now(),
        schedule: (run, delayMs) => void setTimeout(run, delayMs),
      }),
    [client, queue, schoolDb, classId],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: the board reads the roster itself
  useLayoutEffect(() => board.refreshRoster(), [board, roster.data]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the board reads the absences itself
  useLayoutEffect(() => board.refreshAbsences(), [board, sheet.data]);
  return { board, queue, roster };
}
