import { Button, SegmentedControl } from '@mantine/core';
import { IconFilterOff } from '@tabler/icons-react';
import { ClassPicker, GradePicker } from '../../../components/StructurePickers.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { useMe } from '../../me.ts';
import { useSchool } from '../../school.tsx';
import classes from './Statistics.module.css';
import {
  defaultPeriod,
  type StatisticsChange,
  type StatisticsSearch,
  statisticsPeriods,
} from './statistics-search.ts';
import { texts } from './texts.ts';

interface StatisticsFiltersProps {
  readonly search: StatisticsSearch;
  readonly onChange: (change: StatisticsChange) => void;
}

/** Chooses the time and the part of the school; who is responsible for one grade or class is not asked for it. */
export function StatisticsFilters({ search, onChange }: StatisticsFiltersProps) {
  const t = useTexts(texts);
  const me = useMe();
  const { schoolDb } = useSchool();
  const isNarrowed = search.grade !== undefined || search.class !== undefined;
  return (
    <search className={`${classes.filters} no-print`} aria-label={t('filters')}>
      <SegmentedControl
        aria-label={t('period')}
        value={String(search.days ?? defaultPeriod)}
        onChange={(value) => onChange({ days: statisticsPeriods.find((one) => String(one) === value) })}
        data={statisticsPeriods.map((one) => ({ value: String(one), label: t(`days${one}`) }))}
      />
      {me.gradeId === null && (
        <GradePicker
          schoolDb={schoolDb}
          value={search.grade ?? null}
          onChange={(id) => onChange({ grade: id ?? undefined, class: undefined })}
          withAll
        />
      )}
      {me.classId === null && (
        <ClassPicker
          schoolDb={schoolDb}
          gradeId={search.grade ?? null}
          value={search.class ?? null}
          onChange={(id) => onChange({ class: id ?? undefined })}
          withAll
        />
      )}
      {isNarrowed && (
        <Button
          variant="subtle"
          color="gray"
          leftSection={<IconFilterOff aria-hidden size={16} />}
          onClick={() => onChange({ grade: undefined, class: undefined })}
        >
          {t('clearFilters')}
        </Button>
      )}
    </search>
  );
}
