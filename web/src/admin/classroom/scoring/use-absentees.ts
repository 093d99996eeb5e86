import { useLayoutEffect, useMemo, useRef } from 'react';
import { absentIdsOf, useAttendance } from '../use-attendance.ts';
import type { Absentees, ScoringBoard } from './scoring-board.ts';

interface BoardAbsentees {
  /** A stable object: the board outlives the data of a day. */
  readonly absentees: Absentees;
  readonly changes: unknown;
}

export function useAbsentees(schoolDb: string, classId: number): BoardAbsentees {
  const { sheet, mark } = useAttendance(schoolDb, classId);
  const present = useRef({ sheet: sheet.data, mark });
  useLayoutEffect(() => {
    present.current = { sheet: sheet.data, mark };
  });
  const absentees = useMemo(
    () => ({
      read: () => absentIdsOf(present.current.sheet),
      mark: (ids: readonly number[], absent: boolean) =>
        present.current.mark(ids, absent ? 'absent' : 'present'),
    }),
    [],
  );
  return { absentees, changes: sheet.data };
}

export function useBoardAbsences(board: ScoringBoard, changes: unknown): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the board reads them itself
  useLayoutEffect(() => board.refreshAbsences(), [board, changes]);
}
