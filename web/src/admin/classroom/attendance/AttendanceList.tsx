import type { Student } from '@classledger/contract';
import { Button, SegmentedControl, Text, TextInput } from '@mantine/core';
import { IconAward, IconCheck, IconClock, IconMail, IconX } from '@tabler/icons-react';
import { type KeyboardEvent, useMemo, useState } from 'react';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { ErrorState } from '../../../components/ErrorState.tsx';
import { LoadingRows } from '../../../components/LoadingRows.tsx';
import { StudentName } from '../../../components/StudentName.tsx';
import { StudentNamesContext, useDistinctStudentNames } from '../../../components/student-names.ts';
import { byName } from '../../../i18n/name-order.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useSchool } from '../../school.tsx';
import { useRoster } from '../roster.ts';
import { type DayState, useAttendance } from '../use-attendance.ts';
import classes from './Attendance.module.css';
import { AttendancePointsDialog } from './AttendancePointsDialog.tsx';
import { texts } from './texts.ts';

interface AttendanceListProps {
  readonly classId: number;
  readonly day: string | undefined;
  readonly onDay: (day: string | undefined) => void;
}

const icons = { present: IconCheck, absent: IconX, late: IconClock, excused: IconMail } as const;
const states = ['absent', 'late', 'excused'] as const;
const counted = { absent: 'countAbsent', late: 'countLate', excused: 'countExcused' } as const;
const stateOfKey: Readonly<Record<string, DayState>> = { a: 'absent', l: 'late', e: 'excused', p: 'present' };
const nobody: readonly Student[] = [];

export function AttendanceList({ classId, day, onDay }: AttendanceListProps) {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const roster = useRoster(schoolDb, classId);
  const { sheet, mark, unsent, isSaved } = useAttendance(schoolDb, classId, day);
  const [selectedState, setTapped] = useState<(typeof states)[number]>('absent');
  const [giving, setGiving] = useState(false);
  const names = useDistinctStudentNames(roster.data ?? nobody);
  const students = useMemo(() => (roster.data ?? nobody).toSorted(byName), [roster.data]);
  const failure = roster.error ?? sheet.error;
  if (!roster.data || !sheet.data) {
    if (!failure || roster.isPending) return <LoadingRows rows={6} height={56} />;
    return (
      <ErrorState
        error={failure}
        onRetry={() => {
          void roster.refetch();
          void sheet.refetch();
        }}
      />
    );
  }
  if (students.length === 0) return <EmptyState title={t('noStudentsTitle')} hint={t('noStudentsHint')} />;
  const { today, absences } = sheet.data;
  const stateOf = new Map<number, DayState>(absences.map(({ userId, state }) => [userId, state]));
  const counts = states.map(
    (state) => [state, students.filter(({ id }) => stateOf.get(id) === state).length] as const,
  );
  const present = students.length - counts.reduce((sum, [, count]) => sum + count, 0);
  const onKey = (event: KeyboardEvent<HTMLElement>, id: number) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.nativeEvent.isComposing) return;
    const state = stateOfKey[event.key.toLowerCase()];
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (state === undefined && step === undefined) return;
    event.preventDefault();
    if (state !== undefined) mark([id], state);
    const place = students.findIndex((student) => student.id === id) + (step ?? 1);
    event.currentTarget.parentElement?.parentElement?.querySelectorAll<HTMLElement>('button')[place]?.focus();
  };
  return (
    <StudentNamesContext value={names}>
      <div className={classes.bar}>
        <TextInput
          type="date"
          aria-label={t('day')}
          value={day ?? today}
          max={today}
          onChange={(event) => {
            const chosen = event.currentTarget.value;
            if (chosen !== '' && chosen <= today) onDay(chosen === today ? undefined : chosen);
          }}
        />
        <div className={classes.stateChoice}>
          <Text size="sm" fw={500} id="attendance-mark">
            {t('mark')}
          </Text>
          <SegmentedControl
            aria-labelledby="attendance-mark"
            value={selectedState}
            onChange={(state) => setTapped(state as typeof selectedState)}
            data={states.map((state) => ({ value: state, label: t(state) }))}
          />
        </div>
        {(day === undefined || day === today) && (
          <Button
            variant="default"
            className={classes.end ?? ''}
            leftSection={<IconAward aria-hidden size={18} />}
            onClick={() => setGiving(true)}
          >
            {t('give')}
          </Button>
        )}
      </div>
      <Text size="sm" c="dimmed" mb="sm">
        {t('hint')} <span className={classes.keys}>{t('keysHint')}</span>
      </Text>
      <p className={classes.counts} role="status">
        <span data-state="present">{t('countPresent', { count: present })}</span>
        {counts.map(
          ([state, count]) =>
            count > 0 && (
              <span key={state} data-state={state}>
                {t(counted[state], { count })}
              </span>
            ),
        )}
      </p>
      {unsent > 0 && (
        <Text size="sm" mb="sm" role="status">
          {t('unsent', { count: unsent })}
        </Text>
      )}
      <ul className={classes.sheet} aria-label={t('students')}>
        {students.map((student) => {
          const state = stateOf.get(student.id) ?? 'present';
          const Shown = icons[state];
          return (
            <li key={student.id}>
              <button
                type="button"
                className={classes.student}
                data-state={state}
                onClick={() => mark([student.id], state === selectedState ? 'present' : selectedState)}
                onKeyDown={(event) => onKey(event, student.id)}
              >
                <span className={classes.name}>
                  <StudentName of={student} />
                </span>
                <span className={classes.state}>
                  <Shown aria-hidden size={16} />
                  {t(state)}
                </span>
              </button>
            </li>
          );
        })}
      </ul>
      {giving && (
        <AttendancePointsDialog
          classId={classId}
          unsent={unsent}
          isSaved={isSaved}
          onClose={() => setGiving(false)}
        />
      )}
    </StudentNamesContext>
  );
}
