import { Group, Paper, SegmentedControl, Skeleton, Text, Title } from '@mantine/core';
import { useOperation } from '../../../api/queries.ts';
import { TrendChart } from '../../../components/charts/TrendChart.tsx';
import { trendBars } from '../../../components/charts/trend-bars.ts';
import { ErrorState } from '../../../components/ErrorState.tsx';
import { SchoolTimeNote } from '../../../components/SchoolTimeNote.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useSchool } from '../../school.tsx';
import classes from './StudentPage.module.css';
import { type TrendPeriod, trendPeriods } from './student-search.ts';
import { texts } from './texts.ts';

interface StudentTrendProps {
  readonly userId: number;
  readonly days: TrendPeriod;
  readonly onDays: (days: TrendPeriod) => void;
}

export function StudentTrend({ userId, days, onDays }: StudentTrendProps) {
  const t = useTexts(texts);
  const format = useFormat();
  const { schoolDb } = useSchool();
  const totals = useOperation('listDayTotals', { query: { schoolDb, userId, days } });
  const weekly = days > 31;
  const bars = trendBars(totals.data ?? [], weekly ? 7 : 1);
  const plus = bars.reduce((sum, bar) => sum + bar.plus, 0);
  const minus = bars.reduce((sum, bar) => sum + bar.minus, 0);
  const summary =
    plus === 0 && minus === 0
      ? t('trendEmpty')
      : t('trendSummary', { plus: format.signed(plus), minus: format.signed(minus), count: days });
  return (
    <Paper className={classes.panel ?? ''}>
      <Group justify="space-between" mb="xs">
        <div>
          <Title order={2} size="h3">
            {t('trend')}
          </Title>
          <Text size="sm" c="dimmed" aria-live="polite">
            {totals.data ? summary : ' '}
          </Text>
        </div>
        <SegmentedControl
          aria-label={t('period')}
          value={String(days)}
          onChange={(value) => onDays(trendPeriods.find((one) => String(one) === value) ?? 30)}
          data={trendPeriods.map((one) => ({ value: String(one), label: t('lastDays', { count: one }) }))}
        />
      </Group>
      {totals.isError ? (
        <ErrorState error={totals.error} onRetry={() => void totals.refetch()} />
      ) : (
        <>
          <div aria-hidden>
            {totals.data ? <TrendChart bars={bars} weekly={weekly} /> : <Skeleton height={220} />}
          </div>
          <SchoolTimeNote />
        </>
      )}
    </Paper>
  );
}
