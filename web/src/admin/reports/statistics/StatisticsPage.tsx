import { useEffect } from 'react';
import { hasStatus } from '../../../api/api-failure.ts';
import { useOperation } from '../../../api/queries.ts';
import { ErrorState } from '../../../components/ErrorState.tsx';
import { PageHeader } from '../../../components/PageHeader.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useMe } from '../../me.ts';
import { useSchool } from '../../school.tsx';
import { useListAddress } from '../../use-list-address.ts';
import { PointsByDay } from '../figures/PointsByDay.tsx';
import { StatTiles } from '../figures/StatTiles.tsx';
import { ClassComparisonPanel } from './ClassComparisonPanel.tsx';
import { Ranking } from './Ranking.tsx';
import classes from './Statistics.module.css';
import { StatisticsExport } from './StatisticsExport.tsx';
import { StatisticsFilters } from './StatisticsFilters.tsx';
import { defaultPeriod, readStatisticsSearch } from './statistics-search.ts';
import { texts } from './texts.ts';

/** Totals, days, classes and students of the caller's range or a part of it, to look at and to take away. */
export function StatisticsPage() {
  const t = useTexts(texts);
  const me = useMe();
  const { schoolDb } = useSchool();
  const { search, change } = useListAddress('/statistics', readStatisticsSearch);
  const { grade: gradeId, class: classId, days = defaultPeriod, by = 'total', page = 1 } = search;
  const scope = { gradeId, classId };
  const overview = useOperation('getStatsOverview', { query: { schoolDb, ...scope } });
  const isGone = hasStatus(overview.error, 404) || hasStatus(overview.error, 403);
  useEffect(() => {
    // The grade or class that an old address names is not there any more, or in another school.
    if (isGone && (gradeId || classId)) change({ grade: undefined, class: undefined });
  }, [isGone, gradeId, classId, change]);
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('description')}
        actions={<StatisticsExport {...scope} days={days} by={by} />}
      />
      <PrintedRange {...scope} />
      <StatisticsFilters search={search} onChange={change} />
      {overview.isError ? (
        <ErrorState error={overview.error} onRetry={() => void overview.refetch()} />
      ) : (
        <div className={classes.layout}>
          <OverviewTiles overview={overview.data} />
          <PointsByDay {...scope} days={days} />
          {me.classId === null && classId === undefined && (
            <ClassComparisonPanel days={days} gradeId={gradeId} />
          )}
          <Ranking
            {...scope}
            days={days}
            by={by}
            page={page}
            onBy={(next) => change({ by: next })}
            onPage={(next) => change({ page: next })}
          />
        </div>
      )}
    </>
  );
}

/** Says on paper what the filters say on the screen. */
function PrintedRange({ gradeId, classId }: { gradeId: number | undefined; classId: number | undefined }) {
  const { schoolDb, name } = useSchool();
  const format = useFormat();
  const { data } = useOperation('listSchoolClasses', { query: { schoolDb } });
  const one = data?.find(({ id, gradeId: grade }) =>
    classId === undefined ? grade === gradeId : id === classId,
  );
  const part = one && (classId === undefined ? [one.gradeName] : [one.gradeName, one.name]);
  return (
    <p className={`only-print ${classes.printed}`}>
      {[name, ...(part ?? []), format.day(new Date().toISOString())].join(' · ')}
    </p>
  );
}

function OverviewTiles({
  overview,
}: {
  readonly overview: ReturnType<typeof useOperation<'getStatsOverview'>>['data'];
}) {
  const t = useTexts(texts);
  const format = useFormat();
  return (
    <StatTiles
      label={t('overview')}
      tiles={[
        { key: 'students', label: t('students'), value: overview && format.number(overview.totalUsers) },
        { key: 'total', label: t('totalPoints'), value: overview && format.number(overview.totalScores) },
        { key: 'average', label: t('average'), value: overview && format.average(overview.avgScore) },
        { key: 'best', label: t('best'), value: overview && format.number(overview.maxScore) },
        { key: 'lowest', label: t('lowest'), value: overview && format.number(overview.minScore) },
      ]}
    />
  );
}
