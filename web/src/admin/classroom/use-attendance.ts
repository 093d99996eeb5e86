import type { Absence, AttendanceSheet } from '@classledger/contract';
import { type UseQueryResult, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { keyOf, useMutationOf, useOperation } from '../../api/queries.ts';
import { useFailureNotice } from '../../components/use-failure-notice.ts';
import { serverNow } from '../../school-time/server-clock.ts';
import { useTool } from '../use-tool.ts';

/** What can be said of a student on a day; nothing is stored of who is present. */
export type DayState = Absence['state'] | 'present';

interface Attendance {
  readonly sheet: UseQueryResult<AttendanceSheet>;
  /** Says of students how it is with them; shown at once, and taken back where the server refuses. */
  readonly mark: (ids: readonly number[], state: DayState) => void;
}

const sheetInput = (schoolDb: string, classId: number, day?: string) => ({
  query: { schoolDb, classId, ...(day !== undefined && { day }) },
});

/** Other teachers mark absences, too. */
const refreshMs = 15_000;

/**
 * Who of a class was not there in time on a day, the same on all pages and for all teachers. While the school has the tool
 * switched off, nobody is absent. Without a network a mark waits for it.
 *
 * @param day another day than today
 */
export function useAttendance(schoolDb: string, classId: number, day?: string): Attendance {
  const client = useQueryClient();
  const enabled = useTool('attendance');
  const input = sheetInput(schoolDb, classId, day);
  const sheet = useOperation('getAttendance', input, { enabled, refetchInterval: refreshMs });
  const failed = useFailureNotice();
  const { mutate } = useMutationOf('markAttendance', {
    onError: (error) => {
      failed(error);
      void client.invalidateQueries({ queryKey: keyOf('getAttendance') });
    },
  });
  const mark = useCallback(
    (ids: readonly number[], state: DayState) => {
      const queryKey = keyOf('getAttendance', sheetInput(schoolDb, classId, day));
      // An answer that is on its way does not know of it.
      void client.cancelQueries({ queryKey });
      client.setQueryData<AttendanceSheet>(queryKey, (known) => known && marked(known, ids, state));
      mutate({ body: { schoolDb, classId, state, userIds: [...ids], ...(day !== undefined && { day }) } });
    },
    [client, mutate, schoolDb, classId, day],
  );
  return { sheet, mark };
}

function marked(sheet: AttendanceSheet, ids: readonly number[], state: DayState): AttendanceSheet {
  const others = sheet.absences.filter(({ userId }) => !ids.includes(userId));
  const now = new Date(serverNow()).toISOString();
  const added = state === 'present' ? [] : ids.map((userId) => ({ userId, state, markedAt: now }));
  return { ...sheet, absences: [...others, ...added] };
}

/** Who of a sheet is not in the room: whoever is late has come. */
export const notThere = (sheet: AttendanceSheet | undefined): readonly number[] =>
  sheet?.absences.flatMap(({ userId, state }) => (state === 'late' ? [] : userId)) ?? [];
