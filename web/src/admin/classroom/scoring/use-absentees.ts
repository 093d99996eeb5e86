import { useLayoutEffect, useMemo, useRef } from 'react';
import { notThere, useAttendance } from '../use-attendance.ts';
import type { Absentees, ScoringBoard } from './scoring-board.ts';

interface BoardAbsentees {
  /** For a board, which lives longer than what is known of a day. */
  readonly absentees: Absentees;
  /** What the server says of them by now; for {@link useAbsentChanges}. */
  readonly changes: unknown;
}

/** Who of a class is not there today, for its board. */
export function useAbsentees(schoolDb: string, classId: number): BoardAbsentees {
  const { sheet, mark } = useAttendance(schoolDb, classId);
  const present = useRef({ sheet: sheet.data, mark });
  useLayoutEffect(() => {
    present.current = { sheet: sheet.data, mark };
  });
  const absentees = useMemo(
    () => ({
      read: () => notThere(present.current.sheet),
      mark: (ids: readonly number[], absent: boolean) =>
        present.current.mark(ids, absent ? 'absent' : 'present'),
    }),
    [],
  );
  return { absentees, changes: sheet.data };
}

/** Lets a board take over what others say of a student. */
export function useAbsentChanges(board: ScoringBoard, changes: unknown): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the board reads them itself
  useLayoutEffect(() => board.absentChanged(), [board, changes]);
}
