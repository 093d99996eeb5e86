import type { ClassComparison } from '@classledger/contract';
import { Paper, Skeleton, Stack } from '@mantine/core';
import { IconChartBar } from '@tabler/icons-react';
import { Fragment, useMemo, useState } from 'react';
import { useOperationList } from '../../../api/queries.ts';
import { BarTooltip, onMouseLeave, signColours } from '../../../components/charts/BarTooltip.tsx';
import charts from '../../../components/charts/Charts.module.css';
import { axisPositionOf, axisTicks } from '../../../components/charts/chart-values.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { Hint } from '../../../components/Hint.tsx';
import { DataTable } from '../../../components/list/DataTable.tsx';
import type { Column, Sort } from '../../../components/list/data-table-types.ts';
import { useFormat } from '../../../i18n/format.ts';
import { useLanguage, useTexts } from '../../../i18n/texts.ts';
import { useDistinctClassName } from '../../distinct-class-name.ts';
import { PageLink } from '../../PageLink.tsx';
import { Heading } from '../../page/Page.tsx';
import { useSchool } from '../../school.tsx';
import classes from '../figures/Figures.module.css';
import { classFigures, orderClasses } from '../figures/figures.ts';
import { readStatisticsSearch, type StatisticsScope } from './statistics-search.ts';
import { texts } from './texts.ts';
import { useFigureColumns } from './use-figure-columns.tsx';

/** Keeps the list short, so that the students below it are within reach on phones. */
const pageSize = 12;

export function ClassComparisonPanel({ days, gradeId }: Omit<StatisticsScope, 'classId'>) {
  const t = useTexts(texts);
  const language = useLanguage();
  const { schoolDb } = useSchool();
  const columns = useClassColumns();
  const [sort, setSort] = useState<Sort>({ key: 'average', descending: true });
  const compared = useOperationList('compareClasses', { query: { schoolDb, days, gradeId } });
  const { data } = compared;
  const rows = useMemo(() => orderClasses(data?.rows ?? [], sort, language), [data, sort, language]);
  const [wantedPage, setPage] = useState(1);
  const page = Math.min(wantedPage, Math.max(1, Math.ceil(rows.length / pageSize)));
  const ordered = data && { rows: rows.slice((page - 1) * pageSize, page * pageSize), total: rows.length };
  const paging = rows.length > pageSize ? { page, pageSize, onPage: setPage } : {};
  return (
    <Stack
      component="section"
      gap={20}
      className={compared.isPlaceholderData ? 'stale' : ''}
      aria-busy={compared.isPlaceholderData}
    >
      {(rows.length > 1 || compared.isPending) && (
        <Paper className={classes.panel ?? ''} withBorder>
          <Heading>{t('classes')}</Heading>
          <Hint mb="md">{t('classesHint')}</Hint>
          <div aria-hidden>
            {compared.isPending ? (
              <Skeleton height={220} />
            ) : (
              <ComparisonChart rows={ordered?.rows ?? []} gradeId={gradeId} />
            )}
          </div>
        </Paper>
      )}
      <DataTable<ClassComparison>
        label={t('classes')}
        columns={columns}
        query={{ ...compared, data: ordered }}
        rowKey={({ classId }) => classId}
        sort={sort}
        onSort={(next) => {
          setSort(next);
          setPage(1);
        }}
        {...paging}
        printedWhole
        empty={<EmptyState icon={IconChartBar} title={t('noClassesTitle')} hint={t('noClassesHint')} />}
      />
    </Stack>
  );
}

function useClassColumns(): readonly Column<ClassComparison>[] {
  const t = useTexts(texts);
  const { shown } = useFigureColumns();
  return [
    {
      key: 'name',
      header: t('class'),
      phone: 'title',
      cell: ({ classId, gradeName, className }) => (
        <PageLink
          to="/statistics"
          search={(before) => readStatisticsSearch({ ...before, class: classId, page: undefined })}
          c="inherit"
          fz="inherit"
        >
          {`${gradeName} ${className}`}
        </PageLink>
      ),
    },
    ...shown(classFigures),
  ];
}

interface ComparisonChartProps {
  readonly rows: readonly ClassComparison[];
  readonly gradeId: number | undefined;
}

export function ComparisonChart({ rows, gradeId }: ComparisonChartProps) {
  const t = useTexts(texts);
  const distinctName = useDistinctClassName(gradeId);
  const format = useFormat();
  const [pointed, setPointed] = useState<number | null>(null);
  const share = (points: number, students: number) =>
    students === 0 ? 0 : Math.round((points / students) * 100) / 100;
  const bars = rows.map(({ studentCount, recent, ...row }) => ({
    id: row.classId,
    name: distinctName(row),
    plus: share(recent.addScore, studentCount),
    minus: share(recent.deductScore, studentCount),
  }));
  const steps = axisTicks(
    bars.flatMap(({ plus, minus }) => [plus, minus]),
    { whole: false },
  );
  const place = axisPositionOf(steps);
  const zero = place(0);
  return (
    <div className={charts.comparison} onPointerLeave={onMouseLeave(() => setPointed(null))}>
      <div className={charts.steps} style={{ gridRow: `1 / span ${bars.length}` }}>
        {steps.map((step) => (
          <div key={step} className={charts.step} style={{ left: `${place(step)}%` }}>
            <span className={charts.stepName}>{format.signed(step)}</span>
          </div>
        ))}
      </div>
      {bars.map(({ id, name, plus, minus }, index) => (
        <Fragment key={id}>
          <div className={charts.name} style={{ gridRow: index + 1 }}>
            {name}
          </div>
          <div
            className={charts.track}
            style={{ gridRow: index + 1 }}
            data-hovered={pointed === id || undefined}
            onPointerEnter={() => setPointed(id)}
          >
            <div
              className={charts.bar}
              data-sign={1}
              style={{ left: `${zero}%`, width: `${place(plus) - zero}%` }}
            />
            <div
              className={charts.bar}
              data-sign={-1}
              style={{ right: `${100 - zero}%`, width: `${zero - place(minus)}%` }}
            />
            {pointed === id && (
              <BarTooltip
                title={name}
                lines={[
                  [signColours.plus, t('plusPerStudent'), format.signed(plus)],
                  [signColours.minus, t('minusPerStudent'), format.signed(minus)],
                ]}
                style={{ left: '50%', top: '100%' }}
              />
            )}
          </div>
        </Fragment>
      ))}
      <div style={{ gridRow: bars.length + 1, gridColumn: 2 }} />
    </div>
  );
}
