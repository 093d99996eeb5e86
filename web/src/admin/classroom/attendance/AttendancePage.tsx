import { Box, Group, SegmentedControl, Text, TextInput, UnstyledButton } from '@mantine/core';
import { IconAward, IconCheck, IconClock, IconLock, IconMail, IconX } from '@tabler/icons-react';
import { type KeyboardEvent, useMemo, useState } from 'react';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { Hint } from '../../../components/Hint.tsx';
import { LoadingOrError } from '../../../components/LoadingOrError.tsx';
import { RowName } from '../../../components/list/cells.tsx';
import { PageHeader } from '../../../components/PageHeader.tsx';
import { StudentName } from '../../../components/StudentName.tsx';
import { StudentNamesContext, useDistinctStudentNames } from '../../../components/student-names.ts';
import { byName } from '../../../i18n/name-order.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { DialogButton } from '../../page/dialogs.tsx';
import { usePageSearch } from '../../page/use-page-search.ts';
import { useSchool } from '../../school.tsx';
import { type ClassContentProps, ClassPageGate } from '../ClassPageGate.tsx';
import { optionsOf } from '../parts.tsx';
import { useRoster } from '../roster.ts';
import { type DayState, useAttendance } from '../use-attendance.ts';
import classes from './Attendance.module.css';
import { AttendancePointsDialog } from './AttendancePointsDialog.tsx';
import { absenceStates } from './attendance-search.ts';
import { PastDays } from './PastDays.tsx';
import { texts } from './texts.ts';

export default function AttendancePage() {
  const t = useTexts(texts);
  return (
    <ClassPageGate
      title={t('title')}
      off={{ tool: 'attendance', icon: IconLock, title: t('offTitle'), hint: t('offHint') }}
      chooseHint={t('chooseClassHint')}
    >
      {(content) => <AttendanceOfClass {...content} />}
    </ClassPageGate>
  );
}

function AttendanceOfClass({ of: { id }, picker }: ClassContentProps) {
  const t = useTexts(texts);
  const { search, change } = usePageSearch('/attendance');
  return (
    <>
      <PageHeader
        title={t('title')}
        choice={picker}
        actions={
          <SegmentedControl
            aria-label={t('view')}
            value={search.past ? 'past' : 'sheet'}
            onChange={(view) => change({ past: view === 'past' || undefined })}
            data={optionsOf({ sheet: t('sheet'), past: t('past') })}
          />
        }
      />
      {search.past ? (
        <PastDays key={id} classId={id} />
      ) : (
        <AttendanceList key={`${id} ${search.day}`} classId={id} />
      )}
    </>
  );
}

const icons = { present: IconCheck, absent: IconX, late: IconClock, excused: IconMail } as const;
const counted = { absent: 'countAbsent', late: 'countLate', excused: 'countExcused' } as const;
const stateOfKey: Readonly<Record<string, DayState>> = { a: 'absent', l: 'late', e: 'excused', p: 'present' };

function AttendanceList({ classId }: { readonly classId: number }) {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const { search, change } = usePageSearch('/attendance');
  const { day } = search;
  const roster = useRoster(schoolDb, classId);
  const { sheet, mark, unsent } = useAttendance(schoolDb, classId, day);
  const [selectedState, setTapped] = useState<(typeof absenceStates)[number]>('absent');
  const names = useDistinctStudentNames(roster.data);
  const students = useMemo(() => (roster.data ?? []).toSorted(byName), [roster.data]);
  if (!roster.data || !sheet.data) return <LoadingOrError of={[roster, sheet]} rows={6} height={56} />;
  if (students.length === 0) return <EmptyState title={t('noStudentsTitle')} hint={t('noStudentsHint')} />;
  const { today, absences } = sheet.data;
  const stateOf = new Map<number, DayState>(absences.map(({ userId, state }) => [userId, state]));
  const counts = absenceStates.map(
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
      <Group gap="10px 12px" mb="sm">
        <TextInput
          type="date"
          aria-label={t('day')}
          value={day ?? today}
          max={today}
          onChange={(event) => {
            const chosen = event.currentTarget.value;
            if (chosen !== '' && chosen <= today) change({ day: chosen === today ? undefined : chosen });
          }}
        />
        <Group gap="4px 12px" className={classes.stateChoice ?? ''}>
          <Text size="sm" fw={500} id="attendance-mark">
            {t('mark')}
          </Text>
          <SegmentedControl
            aria-labelledby="attendance-mark"
            value={selectedState}
            onChange={setTapped}
            data={absenceStates.map((state) => ({ value: state, label: t(state) }))}
          />
        </Group>
        {(day === undefined || day === today) && (
          <DialogButton
            variant="default"
            ml="auto"
            className={classes.give ?? ''}
            leftSection={<IconAward aria-hidden size={18} />}
            dialog={(dialog) => <AttendancePointsDialog {...dialog} classId={classId} />}
          >
            {t('give')}
          </DialogButton>
        )}
      </Group>
      <Hint mb="sm">
        {t('hint')} <span className={classes.keys}>{t('keysHint')}</span>
      </Hint>
      <Group gap="6px 18px" mb="sm" fw={600} role="status">
        <Text span inherit c="var(--app-plus)">
          {t('countPresent', { count: present })}
        </Text>
        {counts.map(
          ([state, count]) =>
            count > 0 && (
              <Text span inherit key={state} {...(state === 'absent' && { c: 'var(--app-minus)' })}>
                {t(counted[state], { count })}
              </Text>
            ),
        )}
      </Group>
      {unsent > 0 && (
        <Text size="sm" mb="sm" role="status">
          {t('unsent', { count: unsent })}
        </Text>
      )}
      <Box component="ul" m={0} p={0} className={classes.sheet ?? ''} aria-label={t('students')}>
        {students.map((student) => {
          const state = stateOf.get(student.id) ?? 'present';
          const Shown = icons[state];
          return (
            <Box component="li" display="grid" key={student.id}>
              <UnstyledButton
                className={classes.student ?? ''}
                data-state={state}
                onClick={() => mark([student.id], state === selectedState ? 'present' : selectedState)}
                onKeyDown={(event) => onKey(event, student.id)}
              >
                <RowName>
                  <StudentName of={student} />
                </RowName>
                <Group
                  component="span"
                  gap={6}
                  fz="sm"
                  {...(state === 'present' ? { c: 'dimmed' } : { fw: 600 })}
                >
                  <Shown aria-hidden size={16} />
                  {t(state)}
                </Group>
              </UnstyledButton>
            </Box>
          );
        })}
      </Box>
    </StudentNamesContext>
  );
}
