import type { CategoryDay, CategoryTotals } from '@classledger/contract';
import { Group, Paper, Stack } from '@mantine/core';
import { useOperationList } from '../../../api/queries.ts';
import { CategoryMark } from '../../../components/CategoryMark.tsx';
import { splitByCategory } from '../../../components/charts/category-values.ts';
import { trendBars } from '../../../components/charts/chart-values.ts';
import { TrendChart } from '../../../components/charts/TrendChart.tsx';
import { DataTable } from '../../../components/list/DataTable.tsx';
import { knownRows } from '../../../components/list/data-table-types.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { Heading } from '../../page/Page.tsx';
import { useSchool } from '../../school.tsx';
import classes from '../figures/Figures.module.css';
import type { Figure } from '../figures/figures.ts';
import type { StatisticsScope } from './statistics-search.ts';
import { texts } from './texts.ts';
import { useFigureColumns } from './use-figure-columns.tsx';

interface CategoryRow extends CategoryTotals {
  /** In the chosen period; the other sums are of the term. */
  readonly recent: Pick<CategoryDay, 'addScore' | 'deductScore' | 'totalScore'>;
}

export const categoryFigures: readonly Figure<CategoryRow>[] = [
  { key: 'total', as: 'number', value: (row) => row.totalScore },
  { key: 'plus', as: 'signed', value: (row) => row.recent.addScore },
  { key: 'minus', as: 'signed', value: (row) => row.recent.deductScore },
  { key: 'recent', as: 'signed', value: (row) => row.recent.totalScore },
];

/** Returns the sums of each category. Leaves out points without a category if there are none. */
export function categoryRows(totals: readonly CategoryTotals[], days: readonly CategoryDay[]): CategoryRow[] {
  return totals
    .filter(({ categoryId, scoreCount }) => categoryId !== null || scoreCount > 0)
    .map((row) => {
      const own = days.filter(({ categoryId }) => categoryId === row.categoryId);
      const sumOf = (key: keyof CategoryRow['recent']) => own.reduce((sum, day) => sum + day[key], 0);
      const recent = {
        addScore: sumOf('addScore'),
        deductScore: sumOf('deductScore'),
        totalScore: sumOf('totalScore'),
      };
      return { ...row, recent };
    });
}

function useCategoryFigures({ days, gradeId, classId }: StatisticsScope) {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const place = { schoolDb, gradeId, classId };
  const totals = useOperationList('listCategoryTotals', { query: place });
  const hasCategories = totals.data !== undefined && totals.data.total > 0;
  const enabled = { enabled: hasCategories };
  const byCategory = useOperationList('listCategoryDays', { query: { ...place, days } }, enabled);
  const byDay = useOperationList('listDayTotals', { query: { schoolDb, days, gradeId, classId } }, enabled);
  if (!hasCategories || !byCategory.data || !byDay.data) return null;
  const weekly = days > 31;
  const rows = categoryRows(totals.data.rows, byCategory.data.rows);
  const whole = trendBars(byDay.data.rows, weekly ? 7 : 1);
  const bars = splitByCategory(whole, byCategory.data.rows, rows, t('noCategory'));
  return { rows, bars, weekly };
}

/** Shows nothing in a school without categories. */
export function CategoryPanel(scope: StatisticsScope) {
  const t = useTexts(texts);
  const { shown } = useFigureColumns();
  const figures = useCategoryFigures(scope);
  if (!figures) return null;
  return (
    <Stack component="section" gap={20} aria-label={t('pointsByCategory')}>
      <CategoryChart {...scope} />
      <DataTable<CategoryRow>
        label={t('pointsByCategory')}
        columns={[
          { header: t('category'), phone: 'title', cell: (row) => <CategoryMark of={row} /> },
          ...shown(categoryFigures),
        ]}
        query={knownRows(figures.rows)}
        rowKey={({ categoryId }) => categoryId ?? 0}
        printedWhole
        empty={null}
      />
    </Stack>
  );
}

export function CategoryChart(scope: StatisticsScope) {
  const t = useTexts(texts);
  const figures = useCategoryFigures(scope);
  if (!figures) return null;
  return (
    <Paper className={classes.panel ?? ''} withBorder>
      <Heading>{t('pointsByCategory')}</Heading>
      <Group gap="4px 16px" mt={6} mb="sm" fz="sm" aria-hidden>
        {figures.rows.map((row) => (
          <CategoryMark key={row.categoryId} of={row} />
        ))}
      </Group>
      <div aria-hidden>
        <TrendChart bars={figures.bars} weekly={figures.weekly} />
      </div>
    </Paper>
  );
}
