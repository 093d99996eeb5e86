import { SegmentedControl } from '@mantine/core';
import { FilterBar } from '../../../components/list/FilterBar.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { RangePickers } from '../../RangePickers.tsx';
import { parseOneOf, type SearchChange } from '../../search-parameters.ts';
import { defaultPeriod, type StatisticsSearch, statisticsPeriods } from './statistics-search.ts';
import { texts } from './texts.ts';

interface StatisticsFiltersProps {
  readonly search: StatisticsSearch;
  readonly onChange: (change: SearchChange<StatisticsSearch>) => void;
}

export function StatisticsFilters({ search, onChange }: StatisticsFiltersProps) {
  const t = useTexts(texts);
  const isNarrowed = search.grade !== undefined || search.class !== undefined;
  return (
    <FilterBar onClear={isNarrowed && (() => onChange({ grade: undefined, class: undefined }))}>
      <SegmentedControl
        data-filter="switch"
        aria-label={t('period')}
        value={String(search.days ?? defaultPeriod)}
        onChange={(value) => onChange({ days: parseOneOf(statisticsPeriods, Number(value)) })}
        data={statisticsPeriods.map((one) => ({ value: String(one), label: t(`days${one}`) }))}
      />
      <RangePickers value={search} onChange={onChange} />
    </FilterBar>
  );
}
