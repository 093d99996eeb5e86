import { Button, SegmentedControl, Stack } from '@mantine/core';
import { IconAward } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { lazy, useState } from 'react';
import { useOperation, useOperationList } from '../../../api/queries.ts';
import { LazyBoundary } from '../../../components/ErrorBoundary.tsx';
import { ErrorState } from '../../../components/ErrorState.tsx';
import { LoadingRows, PageLoading } from '../../../components/LoadingRows.tsx';
import { ScoreText } from '../../../components/ScoreText.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { isTeaching, myClassIdsOf, taughtClassIdsOf, useMayDo, useMe, useOnlyClassId } from '../../me.ts';
import type { RenderDialog } from '../../page/dialogs.tsx';
import { CreateButton, Page } from '../../page/Page.tsx';
import { useSchool, useSchools } from '../../school.tsx';
import { NoStudents } from '../../students/NoStudents.tsx';
import classes from '../figures/Figures.module.css';
import { OverviewTiles, PointsByDay } from '../figures/Overview.tsx';
import { News, PendingNotice, refreshOptions } from './Panel.tsx';
import { ClassBars, LatestRecords, MostImproved, TopStudents } from './SchoolPanels.tsx';
import { texts } from './texts.ts';

const InstallationOverview = lazy(async () => ({
  default: (await import('./InstallationOverview.tsx')).InstallationOverview,
}));
const MyClasses = lazy(() => import('./MyClasses.tsx'));
const AddStudentForm = lazy(() =>
  import('../../students/actions/StudentForm.tsx').then((form) => ({ default: form.AddStudentForm })),
);

const addStudent: RenderDialog = (dialog) => (
  <LazyBoundary>
    <AddStudentForm {...dialog} classId={null} />
  </LazyBoundary>
);

export function DashboardPage() {
  const mayDo = useMayDo();
  const { schools, school, isChosen } = useSchools();
  const isOpenChoice = mayDo('manageSchools') && !isChosen && schools.length > 1;
  if (school !== null && !isOpenChoice) return <SchoolDashboard />;
  return (
    <LazyBoundary fallback={<PageLoading />}>
      <InstallationOverview />
    </LazyBoundary>
  );
}

function SchoolDashboard() {
  const t = useTexts(texts);
  const me = useMe();
  const mayDo = useMayDo();
  const mayAdd = mayDo('manageStudents');
  const onlyClassId = useOnlyClassId();
  const school = useSchool();
  const [days, setDays] = useState<7 | 30>(7);
  const overview = useOperation('getStatsOverview', { query: { schoolDb: school.schoolDb } }, refreshOptions);
  const place = usePlaceName();
  const isEmpty = overview.data?.totalUsers === 0;
  return (
    <Page
      title={t('title')}
      description={place}
      headActions={
        !isEmpty && (
          <>
            {mayAdd && <CreateButton label={t('addStudent')} open={addStudent} variant="default" />}
            <Button component={Link} to="/scoring" leftSection={<IconAward aria-hidden size={18} />}>
              {t('scoreNow')}
            </Button>
          </>
        )
      }
    >
      <Stack gap={20}>
        {isTeaching(me) && (
          <LazyBoundary fallback={<LoadingRows rows={myClassIdsOf(me).size} height={72} />}>
            <MyClasses />
          </LazyBoundary>
        )}
        {mayDo('reviewApplications') && <PendingNotice />}
        {overview.isError && !overview.data ? (
          <ErrorState error={overview.error} onRetry={() => void overview.refetch()} />
        ) : isEmpty ? (
          <>
            {mayAdd && <NoStudents hint={t('noStudentsHint')} add={addStudent} />}
            <News />
          </>
        ) : (
          <>
            <Tiles />
            <div className={classes.columns}>
              <Stack gap={20}>
                <PointsByDay
                  days={days}
                  control={
                    <SegmentedControl
                      className="no-print"
                      aria-label={t('period')}
                      value={days}
                      onChange={setDays}
                      data={([7, 30] as const).map((value) => ({ value, label: t(`days${value}`) }))}
                    />
                  }
                />
                {onlyClassId === null && <ClassBars />}
                <LatestRecords />
              </Stack>
              <Stack gap={20}>
                <TopStudents />
                <MostImproved />
                <News />
              </Stack>
            </div>
          </>
        )}
      </Stack>
    </Page>
  );
}

function Tiles() {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const week = useOperationList('listDayTotals', { query: { schoolDb, days: 7 } }, refreshOptions);
  const sum = (key: 'count' | 'totalScore') => week.data?.rows.reduce((points, day) => points + day[key], 0);
  const [points, count] = [sum('totalScore'), sum('count')];
  return (
    <OverviewTiles
      last={{
        label: t('week'),
        value: points === undefined ? undefined : <ScoreText value={points} />,
        note: count === undefined ? '\u00A0' : t('records', { count }),
      }}
    />
  );
}

function usePlaceName(): string {
  const me = useMe();
  const { schoolDb, name } = useSchool();
  const onlyClassId = useOnlyClassId();
  const isPart = onlyClassId !== null || (me.gradeId !== null && taughtClassIdsOf(me).length === 0);
  const { data } = useOperation('listSchoolClasses', { query: { schoolDb } }, { enabled: isPart });
  const own = data?.find(({ id, gradeId }) =>
    onlyClassId === null ? gradeId === me.gradeId : id === onlyClassId,
  );
  if (!isPart || !own) return name;
  return [name, own.gradeName, ...(onlyClassId === null ? [] : [own.name])].join(' · ');
}
