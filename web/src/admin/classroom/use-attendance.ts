import type { Absence, AttendanceSheet } from '@classledger/contract';
import type { UseQueryResult } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { useConnected } from '../../api/connection.ts';
import { useOperation } from '../../api/queries.ts';
import { useSchoolTime } from '../../school-time/school-time.ts';
import { serverNow } from '../../school-time/server-clock.ts';
import type { Mark } from '../marks/mark.ts';
import { useMarkQueue, useUnsentMarks } from '../marks/use-marks.ts';
import { useTool } from '../use-tool.ts';
import { dayNow } from './day-now.ts';

/** What can be said of a student on a day; nothing is stored of who is present. */
export type DayState = Absence['state'] | 'present';

interface Attendance {
  readonly sheet: Pick<UseQueryResult<AttendanceSheet>, 'data' | 'error' | 'refetch'>;
  /** Says of students how it is with them; shown at once, kept until the server has heard it, and taken back where it refuses. */
  readonly mark: (ids: readonly number[], state: DayState) => void;
  /** How many things said of this day wait for the server: it does not answer, or fails at them. */
  readonly unsent: number;
  /** The server knows all that was said of this day. */
  readonly isSaved: boolean;
}

/** Other teachers mark absences, too. */
const refreshMs = 15_000;

/**
 * Who of a class was not there in time on a day, the same on all pages and for all teachers. While the school has the tool
 * switched off, nobody is absent. Without a network a mark waits for it, also over a reload.
 *
 * @param day another day than today
 */
export function useAttendance(schoolDb: string, classId: number, day?: string): Attendance {
  const enabled = useTool('attendance');
  const query = { schoolDb, classId, ...(day !== undefined && { day }) };
  const sheet = useOperation('getAttendance', { query }, { enabled, refetchInterval: refreshMs });
  const queue = useMarkQueue();
  const all = useUnsentMarks();
  const time = useSchoolTime();
  const { data: known, dataUpdatedAt } = sheet;
  const shown = day ?? dayNow(time, known?.today, dataUpdatedAt);
  const unsent = useMemo(() => all.filter((mark) => isOf(mark, classId, shown)), [all, classId, shown]);
  const data = useMemo(() => {
    if (!enabled || !known) return undefined;
    // What was kept for a browser without a network may be of another day.
    const ofDay = known.day === shown ? known : { ...known, day: shown, today: shown, absences: [] };
    return unsent.reduce(marked, ofDay);
  }, [enabled, known, shown, unsent]);
  const mark = useCallback(
    (ids: readonly number[], state: DayState) => {
      const said = day ?? dayNow(time, known?.today, dataUpdatedAt);
      const body = { schoolDb, classId, day: said, state, userIds: [...ids] };
      queue.add({ operation: 'markAttendance', body });
    },
    [queue, schoolDb, classId, day, time, known?.today, dataUpdatedAt],
  );
  const { error, refetch } = sheet;
  const connected = useConnected();
  const waiting = connected ? unsent.filter(({ failures }) => failures > 0) : unsent;
  return { sheet: { data, error, refetch }, mark, unsent: waiting.length, isSaved: unsent.length === 0 };
}

type Said = Extract<Mark, { operation: 'markAttendance' }>;

const isOf = (mark: Mark, classId: number, day: string): mark is Said =>
  mark.operation === 'markAttendance' && mark.body.classId === classId && mark.body.day === day;

function marked(sheet: AttendanceSheet, { body: { userIds, state } }: Said): AttendanceSheet {
  const others = sheet.absences.filter(({ userId }) => !userIds.includes(userId));
  const now = new Date(serverNow()).toISOString();
  const added = state === 'present' ? [] : userIds.map((userId) => ({ userId, state, markedAt: now }));
  return { ...sheet, absences: [...others, ...added] };
}

/** Who of a sheet is not in the room: whoever is late has come. */
export const notThere = (sheet: AttendanceSheet | undefined): readonly number[] =>
  sheet?.absences.flatMap(({ userId, state }) => (state === 'late' ? [] : userId)) ?? [];
