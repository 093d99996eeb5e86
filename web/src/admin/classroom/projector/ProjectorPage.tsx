import { Button, Stack } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconPresentation } from '@tabler/icons-react';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useIsConnected } from '../../../api/connection.ts';
import { useOperation } from '../../../api/queries.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { ErrorState } from '../../../components/ErrorState.tsx';
import { LoadingRows } from '../../../components/LoadingRows.tsx';
import { ClassPicker } from '../../../components/StructurePickers.tsx';
import { compareNames } from '../../../i18n/name-order.ts';
import { usePageTitle } from '../../../i18n/page-title.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useGraduatedClass } from '../../graduated-class.ts';
import { useMayDo, useMe } from '../../me.ts';
import { SchoolProvider, useSchools } from '../../school.tsx';
import { useIsToolEnabled } from '../../use-is-tool-enabled.ts';
import { useRoster } from '../roster.ts';
import { texts as classroomTexts } from '../texts.ts';
import { TimerPanel } from '../timer/TimerPanel.tsx';
import { absentIdsOf, useAttendance } from '../use-attendance.ts';
import classes from './Projector.module.css';
import { AllStudentsGrid, LeaderBoard, TeamsBoard } from './ProjectorBoards.tsx';
import { type ProjectorSettings, ProjectorTools } from './ProjectorTools.tsx';
import { rankStudents } from './rank-students.ts';
import { texts } from './texts.ts';
import { useGains } from './use-gains.ts';

const refreshMs = 2_500;

export function ProjectorPage() {
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
  const me = useMe();
  const { data: all, isLoading } = useOperation(
    'listSchoolClasses',
    { query: { schoolDb: school?.schoolDb ?? '' } },
    { enabled: school !== null },
  );
  usePageTitle(t('title'));
  const classId = search.class ?? me.classId;
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
    if (hasNone) return { title: c('noClassesTitle'), hint: t('noClassesHint') };
    if (isUnknown) return { title: c('unknownClassTitle'), hint: c('unknownClassHint') };
    return { title: t('noClassTitle'), hint: t('noClassHint') };
  };
  return (
    <main className={classes.screen} data-empty="">
      {/* While loading, shows nothing, because the reason is not known yet. */}
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
    </main>
  );
}

const defaultSettings: ProjectorSettings = {
  show: 'leaders',
  rows: 10,
  order: 'name',
  names: 'full',
  plusOnly: false,
};

function ClassScreen({ schoolDb, classId }: { readonly schoolDb: string; readonly classId: number }) {
  const t = useTexts(texts);
  const me = useMe();
  const hasTeams = useIsToolEnabled('teams');
  const [chosen, setSettings] = useLocalStorage<Partial<ProjectorSettings>>({
    key: `classledger.projector.${me.id}`,
    defaultValue: {},
    getInitialValueInEffect: false,
  });
  const { data: all } = useOperation('listSchoolClasses', { query: { schoolDb } });
  const roster = useRoster(schoolDb, classId, refreshMs);
  const isConnected = useIsConnected();
  const { sheet } = useAttendance(schoolDb, classId);
  const away = useMemo(() => new Set(absentIdsOf(sheet.data)), [sheet.data]);
  const settings: ProjectorSettings = { ...defaultSettings, ...chosen };
  const { names, plusOnly, show, rows, order } = settings;
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
  const byName = useMemo(
    () => students.toSorted((a, b) => compareNames(a.label, b.label) || a.id - b.id),
    [students],
  );
  const isStale = roster.isError || !isConnected;
  const shownClass = all?.find(({ id }) => id === classId);

  const body = () => {
    if (show === 'teams' && hasTeams) {
      return <TeamsBoard schoolDb={schoolDb} classId={classId} refreshMs={refreshMs} />;
    }
    if (roster.isPending) return <LoadingRows rows={8} height={64} />;
    if (!roster.data) return <ErrorState error={roster.error} onRetry={() => void roster.refetch()} />;
    if (students.length === 0) return <EmptyState title={t('emptyTitle')} hint={t('emptyHint')} />;
    if (show === 'everybody') {
      return <AllStudentsGrid students={order === 'points' ? students : byName} gains={gains} away={away} />;
    }
    return <LeaderBoard students={students} gains={gains} rows={rows} />;
  };

  return (
    <main className={classes.screen}>
      <div className={classes.top}>
        <h1 className={classes.title}>
          {shownClass?.name ?? t('title')}
          {shownClass && <span className={classes.grade}>{shownClass.gradeName}</span>}
        </h1>
        <div className={classes.tools}>
          <span className={classes.live} data-stale={isStale || undefined} role="status">
            {isStale ? t('stale') : t('live')}
          </span>
          <ProjectorTools
            settings={settings}
            onChange={(change) => setSettings((before) => ({ ...before, ...change }))}
          />
        </div>
      </div>
      {body()}
      <TimerPanel large />
    </main>
  );
}
