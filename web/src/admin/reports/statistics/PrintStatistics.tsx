import type { ClassComparison, RankedStudent } from '@classledger/contract';
import type { CSSProperties } from 'react';
import { callList } from '../../../api/call.ts';
import { readWholeList } from '../../../api/read-all.ts';
import { PrintButton } from '../../../components/print/PrintButton.tsx';
import { type PrintedColumn, PrintedTable } from '../../../components/print/PrintedTable.tsx';
import { usernamesOfNamesakes, useShownName } from '../../../components/student-names.ts';
import { useFormat } from '../../../i18n/format.ts';
import { useLanguage, useTexts } from '../../../i18n/texts.ts';
import { useDistinctClassName } from '../../distinct-class-name.ts';
import { useMe } from '../../me.ts';
import { useSchool } from '../../school.tsx';
import { useRangeText } from '../../use-range-text.ts';
import { orderClasses } from '../figures/class-order.ts';
import { PointsByDay } from '../figures/PointsByDay.tsx';
import { ComparisonChart } from './ComparisonChart.tsx';
import { OverviewTiles } from './OverviewTiles.tsx';
import { useRankingHint } from './Ranking.tsx';
import classes from './Statistics.module.css';
import type { RankingKind, StatisticsPeriod } from './statistics-search.ts';
import { texts } from './texts.ts';

interface PrintStatisticsProps {
  readonly days: StatisticsPeriod;
  readonly gradeId?: number | undefined;
  readonly classId?: number | undefined;
  readonly by: RankingKind;
  readonly total: number;
}

/** A sheet has no space for more bars. The table has the same numbers. */
const barsMax = 40;

export function PrintStatistics({ days, gradeId, classId, by, total }: PrintStatisticsProps) {
  const t = useTexts(texts);
  const me = useMe();
  const school = useSchool();
  const { schoolDb } = school;
  const language = useLanguage();
  const range = useRangeText({ grade: gradeId, class: classId });
  const hint = useRankingHint(by, days);
  const classColumns = useClassColumns();
  const rankingColumns = useRankingColumns(gradeId, classId);
  const withClasses = me.classId === null && classId === undefined;
  return (
    <PrintButton
      rowCount={total}
      build={async (options) => {
        const [ranked, compared] = await Promise.all([
          readWholeList('rankStudents', { schoolDb, days, gradeId, classId, by }, options),
          withClasses
            ? callList('compareClasses', { query: { schoolDb, days, gradeId }, signal: options.signal })
            : null,
        ]);
        const rows = orderClasses(compared?.rows ?? [], { key: 'average', descending: true }, language);
        return {
          title: t('title'),
          subject: school.name,
          filters: [...range, t(`days${days}`)],
          missing: ranked.missing,
          content: (
            <div className={classes.printed}>
              <OverviewTiles gradeId={gradeId} classId={classId} />
              <PointsByDay days={days} gradeId={gradeId} classId={classId} />
              {rows.length > 1 && rows.length <= barsMax && (
                <section className={classes.printedBars} style={{ '--bars': rows.length } as CSSProperties}>
                  <strong>{t('classes')}</strong> {t('classesHint')}
                  <ComparisonChart
                    rows={rows}
                    withGrade={new Set(rows.map(({ className }) => className)).size < rows.length}
                  />
                </section>
              )}
              {rows.length > 0 && <PrintedTable title={t('classes')} columns={classColumns} rows={rows} />}
              <PrintedTable
                title={t('ranking')}
                hint={hint}
                columns={rankingColumns(ranked.rows)}
                rows={ranked.rows}
              />
            </div>
          ),
        };
      }}
    />
  );
}

function useClassColumns(): readonly PrintedColumn<ClassComparison>[] {
  const t = useTexts(texts);
  const format = useFormat();
  const { number, signed, average } = format;
  return [
    { header: t('class'), cell: ({ gradeName, className }) => `${gradeName} ${className}` },
    { header: t('columnStudents'), align: 'end', cell: ({ studentCount }) => number(studentCount) },
    { header: t('columnTotal'), align: 'end', cell: ({ totalScore }) => number(totalScore) },
    { header: t('columnAverage'), align: 'end', cell: ({ avgScore }) => average(avgScore) },
    { header: t('columnRecords'), align: 'end', cell: ({ recent }) => number(recent.count) },
    { header: t('columnPlus'), align: 'end', cell: ({ recent }) => signed(recent.addScore) },
    { header: t('columnMinus'), align: 'end', cell: ({ recent }) => signed(recent.deductScore) },
    { header: t('columnPeriod'), align: 'end', cell: ({ recent }) => signed(recent.totalScore) },
  ];
}

function useRankingColumns(
  gradeId: number | undefined,
  classId: number | undefined,
): (rows: readonly RankedStudent[]) => readonly PrintedColumn<RankedStudent>[] {
  const t = useTexts(texts);
  const { number, signed } = useFormat();
  const shownName = useShownName();
  const distinctName = useDistinctClassName(gradeId);
  const oneClass = useMe().classId !== null || classId !== undefined;
  return (rows) => {
    const namesakes = usernamesOfNamesakes(rows);
    const nameOf = (row: RankedStudent) =>
      namesakes.has(row.username)
        ? t('nameWithNumber', { name: shownName(row), number: row.username })
        : shownName(row);
    return [
      { header: t('rank'), cell: ({ rank }) => number(rank) },
      { header: t('student'), cell: nameOf },
      ...(oneClass ? [] : [{ header: t('class'), cell: distinctName }]),
      { header: t('columnTotal'), align: 'end', cell: ({ totalScore }) => number(totalScore) },
      { header: t('columnPeriod'), align: 'end', cell: ({ recentScore }) => signed(recentScore) },
      { header: t('columnBefore'), align: 'end', cell: ({ previousScore }) => signed(previousScore) },
      {
        header: t('columnChange'),
        align: 'end',
        cell: ({ recentScore, previousScore }) => signed(recentScore - previousScore),
      },
    ];
  };
}
