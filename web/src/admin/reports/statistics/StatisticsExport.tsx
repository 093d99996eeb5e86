import type { RankedStudent } from '@classledger/contract';
import { Button, Menu } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { type CSSProperties, Fragment } from 'react';
import { call } from '../../../api/call.ts';
import { type BuildTable, useSaveTable } from '../../../components/list/SaveTableMenu.tsx';
import { texts as listTexts } from '../../../components/list/texts.ts';
import { PrintButton } from '../../../components/print/PrintButton.tsx';
import { type PrintedColumn, PrintedTable } from '../../../components/print/PrintedTable.tsx';
import { useNamesAmong } from '../../../components/student-names.ts';
import { useFormat } from '../../../i18n/format.ts';
import { useLanguage, useTexts } from '../../../i18n/texts.ts';
import { type SavedColumn, type Table, tableOf } from '../../../spreadsheets/csv.ts';
import { useCategories } from '../../categories.tsx';
import { useDistinctClassName } from '../../distinct-class-name.ts';
import { useOnlyClassId } from '../../me.ts';
import { useSchool } from '../../school.tsx';
import { classLabelOf } from '../../students/student-cells.ts';
import { useRangeText } from '../../use-range-text.ts';
import { classFigures, orderClasses } from '../figures/figures.ts';
import { OverviewTiles, PointsByDay } from '../figures/Overview.tsx';
import { CategoryChart, categoryFigures, categoryRows } from './CategoryPanel.tsx';
import { ComparisonChart } from './ClassComparisonPanel.tsx';
import { useRankingHint } from './Ranking.tsx';
import classes from './Statistics.module.css';
import type { RankingScope } from './statistics-search.ts';
import { texts } from './texts.ts';
import { rankingFigures, useFigureColumns } from './use-figure-columns.tsx';

const formats = [
  ['xlsx', 'saveXlsx'],
  ['csv', 'saveCsv'],
] as const;

const tableNames = ['exportDays', 'pointsByCategory', 'classes', 'exportStudents'] as const;

export function StatisticsExport(scope: RankingScope) {
  const t = useTexts(texts);
  const l = useTexts(listTexts);
  const school = useSchool();
  const tables = useTables(scope);
  const { busy, save } = useSaveTable();
  const hasCategories = useCategories().length > 0;
  const names = tableNames.filter((name) => name !== 'pointsByCategory' || hasCategories);
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <Button
          variant="default"
          leftSection={<IconDownload aria-hidden size={16} />}
          loading={busy}
          aria-haspopup="menu"
        >
          {t('export')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {names.map((name) => (
          <Fragment key={name}>
            <Menu.Label>{t(name)}</Menu.Label>
            {formats.map(([format, label]) => (
              <Menu.Item
                key={format}
                aria-label={`${t(name)}: ${l(label)}`}
                onClick={() => void save(`${school.name} ${t(name)}`, tables[name], format)}
              >
                {l(label)}
              </Menu.Item>
            ))}
          </Fragment>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function useTables({
  days,
  gradeId,
  classId,
  by,
}: RankingScope): Record<(typeof tableNames)[number], BuildTable> {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  return {
    exportDays: async (): Promise<Table> => {
      const rows = await call('listDayTotals', { query: { schoolDb, days, gradeId, classId } });
      return {
        header: [t('date'), t('column_records'), t('column_plus'), t('column_minus'), t('pointsChange')],
        rows: rows.map((day) => [day.date, day.count, day.addScore, day.deductScore, day.totalScore]),
      };
    },
    pointsByCategory: async (): Promise<Table> => {
      const place = { schoolDb, gradeId, classId };
      const [totals, sums] = await Promise.all([
        call('listCategoryTotals', { query: place }),
        call('listCategoryDays', { query: { ...place, days } }),
      ]);
      return {
        header: [t('category'), ...categoryFigures.map(({ key }) => t(`column_${key}`))],
        rows: categoryRows(totals, sums).map((row) => [
          row.name ?? t('noCategory'),
          ...categoryFigures.map(({ value }) => value(row)),
        ]),
      };
    },
    classes: async (): Promise<Table> => {
      const rows = await call('compareClasses', { query: { schoolDb, days, gradeId } });
      return {
        header: [t('grade'), t('class'), ...classFigures.map(({ key }) => t(`column_${key}`))],
        rows: rows
          .filter((row) => classId === undefined || row.classId === classId)
          .map((row) => [row.gradeName, row.className, ...classFigures.map(({ value }) => value(row))]),
      };
    },
    exportStudents: async ({ signal }): Promise<Table> => {
      const [ranked, known] = await Promise.all([
        call('rankStudents', { query: { schoolDb, days, gradeId, classId, by }, signal }),
        call('listSchoolClasses', { query: { schoolDb } }),
      ]);
      const gradeNames = new Map(known.map(({ id, gradeName }) => [id, gradeName]));
      const columns: readonly SavedColumn<RankedStudent>[] = [
        [t('rank'), ({ rank }) => rank],
        [t('username'), ({ username }) => username],
        [t('columnName'), ({ actualName }) => actualName],
        [t('grade'), ({ classId: id }) => gradeNames.get(id) ?? null],
        [t('class'), ({ className }) => className],
        ...rankingFigures.map(({ key, value }) => [t(`column_${key}`), value] as const),
      ];
      return tableOf(columns, ranked);
    },
  };
}

/** A sheet has no space for more bars. The table has the same numbers. */
const barsMax = 40;

interface PrintStatisticsProps extends RankingScope {
  readonly total: number;
}

export function PrintStatistics({ days, gradeId, classId, by, total }: PrintStatisticsProps) {
  const t = useTexts(texts);
  const onlyClassId = useOnlyClassId();
  const school = useSchool();
  const { schoolDb } = school;
  const language = useLanguage();
  const range = useRangeText({ grade: gradeId, class: classId });
  const hint = useRankingHint(by, days);
  const { printed } = useFigureColumns();
  const rankingColumns = usePrintedRankingColumns(gradeId, classId);
  const withClasses = onlyClassId === null && classId === undefined;
  return (
    <PrintButton
      rowCount={total}
      build={async ({ signal }) => {
        const place = { schoolDb, gradeId, classId };
        const [ranked, compared, totals, sums] = await Promise.all([
          call('rankStudents', { query: { schoolDb, days, gradeId, classId, by }, signal }),
          withClasses ? call('compareClasses', { query: { schoolDb, days, gradeId }, signal }) : [],
          call('listCategoryTotals', { query: place, signal }),
          call('listCategoryDays', { query: { ...place, days }, signal }),
        ]);
        const categories = categoryRows(totals, sums);
        const rows = orderClasses(compared, { key: 'average', descending: true }, language);
        return {
          title: t('title'),
          subject: school.name,
          filters: [...range, t(`days${days}`)],
          content: (
            <div className={classes.printed}>
              <OverviewTiles gradeId={gradeId} classId={classId} />
              <PointsByDay days={days} gradeId={gradeId} classId={classId} />
              {categories.length > 0 && (
                <>
                  <CategoryChart days={days} gradeId={gradeId} classId={classId} />
                  <PrintedTable
                    title={t('pointsByCategory')}
                    columns={[
                      { header: t('category'), cell: ({ name }) => name ?? t('noCategory') },
                      ...printed(categoryFigures),
                    ]}
                    rows={categories}
                  />
                </>
              )}
              {rows.length > 1 && rows.length <= barsMax && (
                <section className={classes.printedBars} style={{ '--bars': rows.length } as CSSProperties}>
                  <strong>{t('classes')}</strong> {t('classesHint')}
                  <ComparisonChart rows={rows} gradeId={gradeId} />
                </section>
              )}
              {rows.length > 0 && (
                <PrintedTable
                  title={t('classes')}
                  columns={[{ header: t('class'), cell: classLabelOf }, ...printed(classFigures)]}
                  rows={rows}
                />
              )}
              <PrintedTable title={t('ranking')} hint={hint} columns={rankingColumns(ranked)} rows={ranked} />
            </div>
          ),
        };
      }}
    />
  );
}

function usePrintedRankingColumns(
  gradeId: number | undefined,
  classId: number | undefined,
): (rows: readonly RankedStudent[]) => readonly PrintedColumn<RankedStudent>[] {
  const t = useTexts(texts);
  const { number } = useFormat();
  const { printed } = useFigureColumns();
  const namesAmong = useNamesAmong();
  const distinctName = useDistinctClassName(gradeId);
  const oneClass = useOnlyClassId() !== null || classId !== undefined;
  return (rows) => [
    { header: t('rank'), cell: ({ rank }) => number(rank) },
    { header: t('student'), cell: namesAmong(rows) },
    ...(oneClass ? [] : [{ header: t('class'), cell: distinctName }]),
    ...printed(rankingFigures),
  ];
}
