import { Group } from '@mantine/core';
import { lazy } from 'react';
import { useOperation } from '../../api/queries.ts';
import { LazyBoundary } from '../../components/ErrorBoundary.tsx';
import { LoadingOrError } from '../../components/LoadingOrError.tsx';
import { SchoolTimeNote } from '../../components/SchoolTimeNote.tsx';
import { ScoreText } from '../../components/ScoreText.tsx';
import { useFormat } from '../../i18n/format.ts';
import { useTexts } from '../../i18n/texts.ts';
import { Card } from '../Card.tsx';
import { useStudent } from '../me.ts';
import { chartTexts } from './chart-texts.ts';
import { chartPointsOf, type DayTotal, dailyTotals } from './daily-totals.ts';
import classes from './HomePage.module.css';
import { texts } from './texts.ts';

const CategoryCard = lazy(() => import('./CategoryCard.tsx'));

const days = 30;

/** Loaded after the home page, so that the first load stays small. */
export default function HomeCharts() {
  return (
    <>
      <TrendCard />
      <Categories />
    </>
  );
}

/** Shows nothing before the student has points with a category. */
function Categories() {
  const { data } = useOperation('listOwnCategoryTotals', {}, { refetchInterval: 60_000 });
  if (!data?.some(({ categoryId, scoreCount }) => categoryId !== null && scoreCount > 0)) return null;
  return (
    <LazyBoundary>
      <CategoryCard totals={data} />
    </LazyBoundary>
  );
}

function TrendCard() {
  const t = useTexts(texts);
  const { totalScore } = useStudent();
  const totals = useOperation('listOwnDayTotals', { query: { days } }, { refetchInterval: 60_000 });
  const { data } = totals;
  const change = data?.reduce((sum, day) => sum + day.totalScore, 0);
  return (
    <Card title={t('trend')} aside={change !== undefined && <ScoreText value={change} />}>
      {!data && <LoadingOrError of={[totals]} rows={1} height={116} />}
      {data && data.length > 0 && <Line ends={dailyTotals(data, totalScore)} />}
    </Card>
  );
}

/** Size of the SVG's coordinate system. */
const width = 300;
const height = 100;

function Line({ ends }: { readonly ends: readonly DayTotal[] }) {
  const t = useTexts(chartTexts);
  const format = useFormat();
  const points = chartPointsOf(ends);
  const line = points.map(({ x, y }, i) => `${i === 0 ? 'M' : 'L'}${x * width} ${y * height}`).join('');
  const first = ends[0];
  const last = ends.at(-1);
  const end = points.at(-1);
  if (!first || !last || !end) return null;
  const [firstDay, lastDay] = [format.shortDay(first.date), format.shortDay(last.date)];
  const summary = t('trendSummary', { from: first.total, firstDay, to: last.total, lastDay });
  return (
    <>
      <div className={classes.line} role="img" aria-label={summary}>
        <svg
          viewBox={`0 0 ${width} ${height}`}
          width="100%"
          height="100%"
          overflow="visible"
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          <path d={`${line}V${height * 1.2}H0Z`} stroke="none" />
          <path d={line} fill="none" vectorEffect="non-scaling-stroke" />
        </svg>
        <span className={classes.end} style={{ top: `${end.y * 100}%` }} />
      </div>
      <Group justify="space-between" fz="0.8125rem" c="dimmed" aria-hidden>
        <span>{`${firstDay} · ${format.number(first.total)}`}</span>
        <span>{`${lastDay} · ${format.number(last.total)}`}</span>
      </Group>
      <SchoolTimeNote />
    </>
  );
}
