import { Box, Group, Paper, Skeleton, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useOperation, useOperationList } from '../../../api/queries.ts';
import { trendBars } from '../../../components/charts/chart-values.ts';
import { TrendChart } from '../../../components/charts/TrendChart.tsx';
import { Hint } from '../../../components/Hint.tsx';
import { LoadingOrError } from '../../../components/LoadingOrError.tsx';
import { SchoolTimeNote } from '../../../components/SchoolTimeNote.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { PageLink } from '../../PageLink.tsx';
import { Heading } from '../../page/Page.tsx';
import { useSchool } from '../../school.tsx';
import classes from './Figures.module.css';
import { texts } from './texts.ts';

interface RangeProps {
  readonly gradeId?: number | undefined;
  readonly classId?: number | undefined;
}

interface Tile {
  readonly label: string;
  /** Undefined while it loads. */
  readonly value: ReactNode;
  readonly note?: ReactNode;
}

interface OverviewTilesProps extends RangeProps {
  /** The tile after those of students, total and average; by default the highest and the lowest points. */
  readonly last?: Tile;
}

export function OverviewTiles({ gradeId, classId, last }: OverviewTilesProps) {
  const t = useTexts(texts);
  const format = useFormat();
  const { schoolDb } = useSchool();
  const { data } = useOperation('getStatsOverview', { query: { schoolDb, gradeId, classId } });
  const extremes: readonly Tile[] = [
    { label: t('best'), value: data && format.number(data.maxScore) },
    { label: t('lowest'), value: data && format.number(data.minScore) },
  ];
  const tiles: readonly Tile[] = [
    { label: t('students'), value: data && format.number(data.totalUsers) },
    { label: t('total'), value: data && format.number(data.totalScores) },
    { label: t('average'), value: data && format.average(data.avgScore) },
    ...(last ? [last] : extremes),
  ];
  return (
    <section aria-label={t('overview')} aria-busy={tiles.some(({ value }) => value === undefined)}>
      <Tiles of={tiles} />
    </section>
  );
}

export function Tiles({ of }: { readonly of: readonly Tile[] }) {
  return (
    <dl className={classes.tiles}>
      {of.map(({ label, value, note }) => (
        <Paper key={label} withBorder>
          <Text component="dt" fz="sm" c="dimmed" flex="0 0 100%">
            {label}
          </Text>
          <dd>{value ?? <Skeleton width="3.4em">{'\u00A0'}</Skeleton>}</dd>
          {note !== undefined && <dd className={classes.note}>{note}</dd>}
        </Paper>
      ))}
    </dl>
  );
}

interface PointsByDayProps extends RangeProps {
  readonly userId?: number;
  /** The heading, if it is not the length of a bar: a day or a week. */
  readonly title?: string;
  readonly days: number;
  readonly control?: ReactNode;
}

export function PointsByDay({ title, days, control, ...range }: PointsByDayProps) {
  const t = useTexts(texts);
  const format = useFormat();
  const { schoolDb } = useSchool();
  const totals = useOperationList('listDayTotals', { query: { schoolDb, days, ...range } });
  const weekly = days > 31;
  const bars = trendBars(totals.data?.rows ?? [], weekly ? 7 : 1);
  const plus = bars.reduce((sum, bar) => sum + bar.plus, 0);
  const minus = bars.reduce((sum, bar) => sum + bar.minus, 0);
  const isEmpty = plus === 0 && minus === 0;
  const summary = isEmpty
    ? t('daysEmpty')
    : t('daysSummary', { plus: format.signed(plus), minus: format.signed(minus), count: days });
  return (
    <Paper component="section" className={classes.panel ?? ''} h="100%" withBorder>
      <Group justify="space-between" align="flex-start" mb="md" gap="sm">
        {/* On phones, puts the control below the heading, even before the heading's text has loaded. */}
        <Box flex="1 1 230px">
          <Heading>{title ?? t(weekly ? 'pointsByWeek' : 'pointsByDay')}</Heading>
          <Hint aria-live="polite">{totals.data && !totals.isPlaceholderData ? summary : '\u00A0'}</Hint>
        </Box>
        {control}
      </Group>
      {!totals.data ? (
        <LoadingOrError of={[totals]} rows={1} height={220} />
      ) : isEmpty ? (
        <Text c="dimmed" ta="center" py={72}>
          {t('daysEmptyHint')}{' '}
          <PageLink to="/scoring" underline="always">
            {t('toScoring')}
          </PageLink>
        </Text>
      ) : (
        <>
          <div aria-hidden className={totals.isPlaceholderData ? 'stale' : ''}>
            <TrendChart bars={bars} weekly={weekly} />
          </div>
          <SchoolTimeNote />
        </>
      )}
    </Paper>
  );
}
