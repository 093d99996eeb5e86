import { Box, Button, Center, Group, Stack, Text, Title } from '@mantine/core';
import { IconPresentation } from '@tabler/icons-react';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useIsConnected } from '../../../api/connection.ts';
import { useOperation } from '../../../api/queries.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { useGraduatedClass } from '../../../components/graduated-class.ts';
import { LoadingOrError } from '../../../components/LoadingOrError.tsx';
import { ClassPicker } from '../../../components/StructurePickers.tsx';
import { compareNames } from '../../../i18n/name-order.ts';
import { usePageTitle } from '../../../i18n/page-title.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useMayDo, useOnlyClassId } from '../../me.ts';
import { SchoolProvider, useSchools } from '../../school.tsx';
import { useIsToolEnabled } from '../../use-is-tool-enabled.ts';
import { useRoster } from '../roster.ts';
import { texts as classroomTexts } from '../texts.ts';
import { TimerPanel } from '../timer/TimerPanel.tsx';
import { absentIdsOf, useAttendance } from '../use-attendance.ts';
import {
  AllStudentsGrid,
  LeaderBoard,
  projectorRefreshMs,
  TeamsBoard,
  useGains,
} from './ProjectorBoards.tsx';
import { ProjectorTools, useProjectorSettings } from './ProjectorTools.tsx';
import { rankStudents } from './rank-students.ts';
import { texts } from './texts.ts';

export default function ProjectorPage() {
  return (
    <SchoolProvider>
      <ChosenClass />
    </SchoolProvider>
  );
}

function ChosenClass() {
  const t = useTexts(texts);
  const c = useTexts(classroomTexts);
  const { school } = useSchools();
  const search = useSearch({ from: '/projector' });
  const navigate = useNavigate({ from: '/projector' });
  const onlyClassId = useOnlyClassId();
  const { data: all, isLoading } = useOperation(
    'listSchoolClasses',
    { query: { schoolDb: school?.schoolDb ?? '' } },
    { enabled: school !== null },
  );
  usePageTitle(t('title'));
  const classId = search.class ?? onlyClassId;
  const { graduated } = useGraduatedClass(school?.schoolDb ?? '', all, classId);
  const mayMakeClasses = useMayDo()('manageClasses');
  const isUnknown = classId !== null && all?.every(({ id }) => id !== classId) === true;
  if (school && classId !== null && !isUnknown && !graduated) {
    return <ClassScreen schoolDb={school.schoolDb} classId={classId} />;
  }
  const hasNone = school === null || all?.length === 0;
  const said = () => {
    if (graduated) {
      const name = `${graduated.gradeName} ${graduated.name}`;
      return { title: c('graduatedTitle', { name }), hint: c('graduatedHint') };
    }
    if (hasNone)
      return {
        title: c('noClassesTitle'),
        hint: c(mayMakeClasses ? 'noClassesHint' : 'noTaughtClassesHint'),
      };
    if (isUnknown) return { title: c('unknownClassTitle'), hint: c('unknownClassHint') };
    return { title: t('noClassTitle'), hint: t('noClassHint') };
  };
  return (
    <Center component="main" mih="100dvh">
      {/* Stays empty while loading, because the reason comes with the data. */}
      {!isLoading && (
        <EmptyState
          isPage
          icon={IconPresentation}
          {...said()}
          action={
            <Stack gap="sm" mt="xs">
              {hasNone
                ? mayMakeClasses && (
                    <Button component={Link} to="/structure">
                      {c('toStructure')}
                    </Button>
                  )
                : school && (
                    <ClassPicker
                      schoolDb={school.schoolDb}
                      value={null}
                      onChange={(id) => {
                        if (id !== null) void navigate({ search: (before) => ({ ...before, class: id }) });
                      }}
                    />
                  )}
              <Button component={Link} to="/scoring" variant="subtle">
                {t('back')}
              </Button>
            </Stack>
          }
        />
      )}
    </Center>
  );
}

function ClassScreen({ schoolDb, classId }: { readonly schoolDb: string; readonly classId: number }) {
  const t = useTexts(texts);
  const hasTeams = useIsToolEnabled('teams');
  const [{ names, plusOnly, show, rows, order }] = useProjectorSettings();
  const { data: all } = useOperation('listSchoolClasses', { query: { schoolDb } });
  const roster = useRoster(schoolDb, classId, projectorRefreshMs);
  const isConnected = useIsConnected();
  const { sheet } = useAttendance(schoolDb, classId);
  const away = useMemo(() => new Set(absentIdsOf(sheet.data)), [sheet.data]);
  const students = useMemo(
    () =>
      rankStudents(roster.data ?? [], {
        names,
        plusOnly,
        numberLabel: (number) => t('number', { number }),
      }),
    [roster.data, names, plusOnly, t],
  );
  const gains = useGains(students, String(plusOnly));
  const isStale = roster.isError || !isConnected;
  const shownClass = all?.find(({ id }) => id === classId);

  const body = () => {
    if (show === 'teams' && hasTeams) {
      return <TeamsBoard schoolDb={schoolDb} classId={classId} />;
    }
    if (!roster.data) return <LoadingOrError of={[roster]} rows={8} height={64} />;
    if (students.length === 0) return <EmptyState title={t('noStudentsTitle')} hint={t('emptyHint')} />;
    if (show === 'everybody') {
      const byName = students.toSorted((a, b) => compareNames(a.label, b.label) || a.id - b.id);
      return <AllStudentsGrid students={order === 'points' ? students : byName} gains={gains} away={away} />;
    }
    return <LeaderBoard label={t('ranking')} students={students} gains={gains} rows={rows} />;
  };

  return (
    <Stack
      component="main"
      pos="fixed"
      inset={0}
      gap="clamp(8px, 2vh, 24px)"
      p="clamp(12px, 2.6vmin, 36px) clamp(16px, 4vmin, 64px)"
    >
      <Group justify="space-between">
        <Title
          order={1}
          flex="1 1 300px"
          fz="clamp(1.5rem, 5.6vmin, 3.75rem)"
          fw={750}
          lh={1.15}
          lts="-0.01em"
        >
          {shownClass?.name ?? t('title')}
          {shownClass && (
            <Text span fz="0.55em" fw={500} c="dimmed" ms="0.5em">
              {shownClass.gradeName}
            </Text>
          )}
        </Title>
        <Group gap={8}>
          {/* Small screens show this line only if the data is stale. */}
          <Group gap={8} me={8} fz={15} c="dimmed" role="status" {...(!isStale && { visibleFrom: 'sm' })}>
            <Box w={9} h={9} bdrs={99} bg={isStale ? 'minus.5' : 'plus.5'} />
            {t(isStale ? 'stale' : 'live')}
          </Group>
          <ProjectorTools />
        </Group>
      </Group>
      {body()}
      <TimerPanel large />
    </Stack>
  );
}
