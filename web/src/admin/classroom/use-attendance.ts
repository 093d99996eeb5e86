import type { Absence, AttendanceSheet } from '@classledger/contract';
import type { UseQueryResult } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { useIsConnected } from '../../api/connection.ts';
import { useOperation } from '../../api/queries.ts';
import { serverNow, useSchoolTime } from '../../school-time/school-time.ts';
import type { AttendanceEntry, MarkEntry } from '../outbox/entry.ts';
import { useOutbox, useUnsentMarks } from '../outbox/use-outbox.ts';
import { useIsToolEnabled } from '../use-is-tool-enabled.ts';

/** Returns a function: the school's day as the server last said, or the device's date if it did not say so today. */
export function useCurrentSchoolDay(serverDay: string | undefined, serverDayAt: number): () => string {
  const { today, dayOf } = useSchoolTime();
  return useCallback(() => {
    const deviceDayOf = (at: number) => dayOf(new Date(at).toISOString());
    const isOfToday = deviceDayOf(serverDayAt) === deviceDayOf(Date.now());
    return serverDay !== undefined && isOfToday ? serverDay : today();
  }, [today, dayOf, serverDay, serverDayAt]);
}

/** A student's state on a day. The server stores no entry for `present`. */
export type DayState = Absence['state'] | 'present';

interface Attendance {
  readonly sheet: Pick<UseQueryResult<AttendanceSheet>, 'data' | 'error' | 'refetch'>;
  /** Marks students. Shows the mark at once, keeps it until the server answers, and removes it if refused. */
  readonly mark: (ids: readonly number[], state: DayState) => void;
  /** Number of this day's unsent marks; while the server can be reached, only of those that failed before. */
  readonly unsent: number;
  readonly isSaved: boolean;
}

/** Reads the absences this often, because other teachers mark absences too. */
const refreshMs = 15_000;

/** Reads and marks absences. Has no data if the school switched attendance off. A reload keeps unsent marks. */
export function useAttendance(schoolDb: string, classId: number, day?: string): Attendance {
  const enabled = useIsToolEnabled('attendance');
  const query = { schoolDb, classId, ...(day !== undefined && { day }) };
  const sheet = useOperation('getAttendance', { query }, { enabled, refetchInterval: refreshMs });
  const outbox = useOutbox();
  const all = useUnsentMarks();
  const { data: known, dataUpdatedAt } = sheet;
  const currentDay = useCurrentSchoolDay(known?.today, dataUpdatedAt);
  const shown = day ?? currentDay();
  const unsent = useMemo(
    () => all.filter((mark) => isAttendanceMark(mark, classId, shown)),
    [all, classId, shown],
  );
  const data = useMemo(() => {
    if (!enabled || !known) return undefined;
    // The known data, such as from offline storage, may be of another day; then its absences do not count.
    const ofDay = known.day === shown ? known : { ...known, day: shown, today: shown, absences: [] };
    return unsent.reduce(applyMark, ofDay);
  }, [enabled, known, shown, unsent]);
  const mark = useCallback(
    (ids: readonly number[], state: DayState) => {
      const body = { schoolDb, classId, day: day ?? currentDay(), state, userIds: [...ids] };
      outbox.add({ kind: 'attendance', body });
    },
    [outbox, schoolDb, classId, day, currentDay],
  );
  const { error, refetch } = sheet;
  const connected = useIsConnected();
  const waiting = connected ? unsent.filter(({ failures }) => failures > 0) : unsent;
  return { sheet: { data, error, refetch }, mark, unsent: waiting.length, isSaved: unsent.length === 0 };
}

const isAttendanceMark = (mark: MarkEntry, classId: number, day: string): mark is AttendanceEntry =>
  mark.kind === 'attendance' && mark.body.classId === classId && mark.body.day === day;

function applyMark(sheet: AttendanceSheet, { body: { userIds, state } }: AttendanceEntry): AttendanceSheet {
  const others = sheet.absences.filter(({ userId }) => !userIds.includes(userId));
  const now = new Date(serverNow()).toISOString();
  const added = state === 'present' ? [] : userIds.map((userId) => ({ userId, state, markedAt: now }));
  return { ...sheet, absences: [...others, ...added] };
}

/** Returns the students who are absent or excused. Those who are late count as present. */
export const absentIdsOf = (sheet: AttendanceSheet | undefined): readonly number[] =>
  sheet?.absences.flatMap(({ userId, state }) => (state === 'late' ? [] : userId)) ?? [];
