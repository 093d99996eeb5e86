import { SegmentedControl, Stack, Text } from '@mantine/core';
import { useEffect } from 'react';
import { hasStatus } from '../../../api/api-failure.ts';
import { useOperation } from '../../../api/queries.ts';
import { ErrorState } from '../../../components/ErrorState.tsx';
import { FilterBar } from '../../../components/list/FilterBar.tsx';
import { PageHeader } from '../../../components/PageHeader.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useOnlyClassId } from '../../me.ts';
import { usePageSearch } from '../../page/use-page-search.ts';
import { RangePickers } from '../../RangePickers.tsx';
import { useSchool } from '../../school.tsx';
import { useRangeText } from '../../use-range-text.ts';
import { OverviewTiles, PointsByDay } from '../figures/Overview.tsx';
import { CategoryPanel } from './CategoryPanel.tsx';
import { ClassComparisonPanel } from './ClassComparisonPanel.tsx';
import { Ranking } from './Ranking.tsx';
import { PrintStatistics, StatisticsExport } from './StatisticsExport.tsx';
import { defaultPeriod, statisticsPeriods } from './statistics-search.ts';
import { texts } from './texts.ts';

export default function StatisticsPage() {
  const t = useTexts(texts);
  const onlyClassId = useOnlyClassId();
  const format = useFormat();
  const { schoolDb, name } = useSchool();
  const { search, change } = usePageSearch('/statistics');
  const { grade: gradeId, class: classId, days = defaultPeriod, by = 'total' } = search;
  const part = { gradeId, classId };
  const scope = { ...part, days, by };
  const isNarrowed = gradeId !== undefined || classId !== undefined;
  const range = useRangeText(search);
  const overview = useOperation('getStatsOverview', { query: { schoolDb, ...part } });
  const isGone = hasStatus(overview.error, 403, 404);
  useEffect(() => {
    // Removes a grade or class from the URL that no longer exists or belongs to another school.
    if (isGone && (gradeId || classId)) change({ grade: undefined, class: undefined });
  }, [isGone, gradeId, classId, change]);
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('description')}
        actions={
          <>
            {overview.data && <PrintStatistics {...scope} total={overview.data.totalUsers} />}
            <StatisticsExport {...scope} />
          </>
        }
      />
      <Text mb="sm" className="only-print">
        {[name, ...range, t(`days${days}`), format.today()].join(' · ')}
      </Text>
      <FilterBar onClear={isNarrowed && (() => change({ grade: undefined, class: undefined }))}>
        <SegmentedControl
          data-filter="switch"
          aria-label={t('period')}
          value={days}
          onChange={(value) => change({ days: value })}
          data={statisticsPeriods.map((value) => ({ value, label: t(`days${value}`) }))}
        />
        <RangePickers value={search} onChange={change} />
      </FilterBar>
      {overview.isError ? (
        <ErrorState error={overview.error} onRetry={() => void overview.refetch()} />
      ) : (
        <Stack gap={20} mt={20}>
          <OverviewTiles {...part} />
          <PointsByDay {...part} days={days} />
          <CategoryPanel {...part} days={days} />
          {onlyClassId === null && classId === undefined && (
            <ClassComparisonPanel days={days} gradeId={gradeId} />
          )}
          <Ranking {...scope} />
        </Stack>
      )}
    </>
  );
}
