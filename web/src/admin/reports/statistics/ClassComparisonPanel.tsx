import type { ClassComparison } from '@classledger/contract';
import { Anchor, Paper, Skeleton, Text, Title } from '@mantine/core';
import { IconChartBar } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useOperationList } from '../../../api/queries.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { DataTable } from '../../../components/list/DataTable.tsx';
import type { Column, Sort } from '../../../components/list/data-table-types.ts';
import { ScoreText } from '../../../components/ScoreText.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { useLanguage, useTexts } from '../../../i18n/texts.ts';
import { useSchool } from '../../school.tsx';
import { orderClasses } from '../figures/class-order.ts';
import figures from '../figures/Figures.module.css';
import { ComparisonChart } from './ComparisonChart.tsx';
import classes from './Statistics.module.css';
import { readStatisticsSearch, type StatisticsPeriod } from './statistics-search.ts';
import { texts } from './texts.ts';

/** Keeps the list short, so that the students below it are within reach on phones. */
const pageSize = 12;

interface ClassComparisonPanelProps {
  readonly days: StatisticsPeriod;
  readonly gradeId?: number | undefined;
}

export function ClassComparisonPanel({ days, gradeId }: ClassComparisonPanelProps) {
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
  // Shows grades only if class names are ambiguous, because many schools' class names contain the grade.
  const withGrade = new Set(rows.map((row) => row.className)).size < rows.length;
  return (
    <section
      className={`${classes.layout} ${compared.isPlaceholderData ? figures.busy : ''}`}
      aria-busy={compared.isPlaceholderData}
    >
      {(rows.length > 1 || compared.isPending) && (
        <Paper className={figures.panel ?? ''}>
          <Title order={2} size="h3">
            {t('classes')}
          </Title>
          <Text size="sm" c="dimmed" mb="md">
            {t('classesHint')}
          </Text>
          <div aria-hidden>
            {compared.isPending ? (
              <Skeleton height={220} />
            ) : (
              <ComparisonChart rows={ordered?.rows ?? []} withGrade={withGrade} />
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
    </section>
  );
}

function useClassColumns(): readonly Column<ClassComparison>[] {
  const t = useTexts(texts);
  const format = useFormat();
  return useMemo(
    () => [
      {
        key: 'name',
        header: t('class'),
        sortable: true,
        phone: 'title',
        cell: ({ classId, gradeName, className }) => (
          <Anchor
            c="inherit"
            fz="inherit"
            renderRoot={(props) => (
              <Link
                to="/statistics"
                search={(before) => readStatisticsSearch({ ...before, class: classId, page: undefined })}
                {...props}
              />
            )}
          >
            {`${gradeName} ${className}`}
          </Anchor>
        ),
      },
      wideOnlyColumn('students', t('columnStudents'), (row) => format.number(row.studentCount)),
      wideOnlyColumn('total', t('columnTotal'), (row) => format.number(row.totalScore)),
      numberColumn('average', t('columnAverage'), (row) => format.average(row.avgScore)),
      wideOnlyColumn('records', t('columnRecords'), (row) => format.number(row.recent.count)),
      numberColumn('plus', t('columnPlus'), (row) => <ScoreText value={row.recent.addScore} />),
      numberColumn('minus', t('columnMinus'), (row) => <ScoreText value={row.recent.deductScore} />),
      numberColumn('recent', t('columnPeriod'), (row) => <ScoreText value={row.recent.totalScore} />),
    ],
    [t, format],
  );
}

function numberColumn(
  key: string,
  header: string,
  cell: Column<ClassComparison>['cell'],
): Column<ClassComparison> {
  return { key, header, cell, align: 'end', sortable: true };
}

/** Returns a column that phones hide, because cards with all columns would push the students below far down. */
function wideOnlyColumn(...column: Parameters<typeof numberColumn>): Column<ClassComparison> {
  return { ...numberColumn(...column), phone: 'hidden' };
}
