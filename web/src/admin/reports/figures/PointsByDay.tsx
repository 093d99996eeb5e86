import { Anchor, Box, Group, Paper, Skeleton, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useOperationList } from '../../../api/queries.ts';
import { TrendChart } from '../../../components/charts/TrendChart.tsx';
import { trendBars } from '../../../components/charts/trend-bars.ts';
import { ErrorState } from '../../../components/ErrorState.tsx';
import { SchoolTimeNote } from '../../../components/SchoolTimeNote.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useSchool } from '../../school.tsx';
import classes from './Figures.module.css';
import { texts } from './texts.ts';

interface PointsByDayProps {
  readonly days: number;
  readonly gradeId?: number | undefined;
  readonly classId?: number | undefined;
  readonly control?: ReactNode;
}

export function PointsByDay({ days, gradeId, classId, control }: PointsByDayProps) {
  const t = useTexts(texts);
  const format = useFormat();
  const { schoolDb } = useSchool();
  const totals = useOperationList('listDayTotals', { query: { schoolDb, days, gradeId, classId } });
  const weekly = days > 31;
  const bars = trendBars(totals.data?.rows ?? [], weekly ? 7 : 1);
  const plus = bars.reduce((sum, bar) => sum + bar.plus, 0);
  const minus = bars.reduce((sum, bar) => sum + bar.minus, 0);
  const isEmpty = totals.data !== undefined && plus === 0 && minus === 0;
  const summary = isEmpty
    ? t('daysEmpty')
    : t('daysSummary', { plus: format.signed(plus), minus: format.signed(minus), count: days });
  return (
    <Paper component="section" className={classes.panel ?? ''} withBorder>
      <Group justify="space-between" align="flex-start" mb="md" gap="sm">
        {/* On phones, puts the control below the heading, even before the heading's text has loaded. */}
        <Box flex="1 1 230px">
          <Title order={2} size="h3">
            {t(weekly ? 'pointsByWeek' : 'pointsByDay')}
          </Title>
          <Text size="sm" c="dimmed" aria-live="polite">
            {totals.data && !totals.isPlaceholderData ? summary : '\u00A0'}
          </Text>
        </Box>
        {control}
      </Group>
      {totals.isError && !totals.data ? (
        <ErrorState error={totals.error} onRetry={() => void totals.refetch()} />
      ) : isEmpty ? (
        <Text c="dimmed" ta="center" py={72}>
          {t('daysEmptyHint')}{' '}
          <Anchor underline="always" renderRoot={(props) => <Link to="/scoring" {...props} />}>
            {t('toScoring')}
          </Anchor>
        </Text>
      ) : (
        <>
          <div aria-hidden className={totals.isPlaceholderData ? 'stale' : ''}>
            {totals.data ? <TrendChart bars={bars} weekly={weekly} /> : <Skeleton height={220} />}
          </div>
          <SchoolTimeNote />
        </>
      )}
    </Paper>
  );
}
