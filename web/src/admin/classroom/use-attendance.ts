import type { Absence, AttendanceSheet } from '@classledger/contract';
import type { UseQueryResult } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { useConnected } from '../../api/connection.ts';
import { useOperation } from '../../api/queries.ts';
import { useSchoolTime } from '../../school-time/school-time.ts';
import { serverNow } from '../../school-time/server-clock.ts';
import type { AttendanceMark, Mark } from '../outbox/entry.ts';
import { useOutbox, useUnsentMarks } from '../outbox/use-outbox.ts';
import { useTool } from '../use-tool.ts';
import { currentSchoolDay } from './current-school-day.ts';

/** The server stores no entry for `present`. */
export type DayState = Absence['state'] | 'present';

interface Attendance {
  readonly sheet: Pick<UseQueryResult<AttendanceSheet>, 'data' | 'error' | 'refetch'>;
  /** Shows marks at once, keeps them until the server answers, and withdraws refused ones. */
  readonly mark: (ids: readonly number[], state: DayState) => void;
  /** Unsent marks of this day. While the server is reachable, only those at which it has failed. */
  readonly unsent: number;
  readonly isSaved: boolean;
}

/** Polls, because other teachers mark absences, too. */
const refreshMs = 15_000;

/** Reads and marks absences; none while the school has switched attendance off. Unsent marks survive a reload. */
export function useAttendance(schoolDb: string, classId: number, day?: string): Attendance {
  const enabled = useTool('attendance');
  const query = { schoolDb, classId, ...(day !== undefined && { day }) };
  const sheet = useOperation('getAttendance', { query }, { enabled, refetchInterval: refreshMs });
  const outbox = useOutbox();
  const all = useUnsentMarks();
  const time = useSchoolTime();
  const { data: known, dataUpdatedAt } = sheet;
  const shown = day ?? currentSchoolDay(time, known?.today, dataUpdatedAt);
  const unsent = useMemo(
    () => all.filter((mark) => isAttendanceMark(mark, classId, shown)),
    [all, classId, shown],
  );
  const data = useMemo(() => {
    if (!enabled || !known) return undefined;
    // A sheet cached for offline use may be of another day.
    const ofDay = known.day === shown ? known : { ...known, day: shown, today: shown, absences: [] };
    return unsent.reduce(applyMark, ofDay);
  }, [enabled, known, shown, unsent]);
  const mark = useCallback(
    (ids: readonly number[], state: DayState) => {
      const markedDay = day ?? currentSchoolDay(time, known?.today, dataUpdatedAt);
      const body = { schoolDb, classId, day: markedDay, state, userIds: [...ids] };
      outbox.add({ kind: 'attendance', body });
    },
    [outbox, schoolDb, classId, day, time, known?.today, dataUpdatedAt],
  );
  const { error, refetch } = sheet;
  const connected = useConnected();
  const waiting = connected ? unsent.filter(({ failures }) => failures > 0) : unsent;
  return { sheet: { data, error, refetch }, mark, unsent: waiting.length, isSaved: unsent.length === 0 };
}

const isAttendanceMark = (mark: Mark, classId: number, day: string): mark is AttendanceMark =>
  mark.kind === 'attendance' && mark.body.classId === classId && mark.body.day === day;

function applyMark(sheet: AttendanceSheet, { body: { userIds, state } }: AttendanceMark): AttendanceSheet {
  const others = sheet.absences.filter(({ userId }) => !userIds.includes(userId));
  const now = new Date(serverNow()).toISOString();
  const added = state === 'present' ? [] : userIds.map((userId) => ({ userId, state, markedAt: now }));
  return { ...sheet, absences: [...others, ...added] };
}

/** Returns the absent students; late ones are present. */
export const absentIdsOf = (sheet: AttendanceSheet | undefined): readonly number[] =>
  sheet?.absences.flatMap(({ userId, state }) => (state === 'late' ? [] : userId)) ?? [];
