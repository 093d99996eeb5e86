import type { RankedStudent } from '@classledger/contract';
import { Button, Group, SegmentedControl, Text } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useOperationList } from '../../../api/queries.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { Hint } from '../../../components/Hint.tsx';
import { DataTable } from '../../../components/list/DataTable.tsx';
import type { Column } from '../../../components/list/data-table-types.ts';
import { RankMark } from '../../../components/RankMark.tsx';
import { StudentName } from '../../../components/StudentName.tsx';
import { StudentNamesContext, useDistinctStudentNames } from '../../../components/student-names.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useDistinctClassName } from '../../distinct-class-name.ts';
import { useOnlyClassId } from '../../me.ts';
import { StudentLink } from '../../PageLink.tsx';
import { Heading } from '../../page/Page.tsx';
import { usePageSearch } from '../../page/use-page-search.ts';
import { useSchool } from '../../school.tsx';
import { type RankingKind, type RankingScope, rankingKinds } from './statistics-search.ts';
import { texts } from './texts.ts';
import { rankingFigures, useFigureColumns } from './use-figure-columns.tsx';

const pageSize = 20;
const labels = { total: 'totalPoints', recent: 'column_recent', improvement: 'byImprovement' } as const;

export function Ranking({ days, gradeId, classId, by }: RankingScope) {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const columns = useRankingColumns(gradeId, classId);
  const { search, change } = usePageSearch('/statistics');
  const { page = 1 } = search;
  const ranked = useOperationList('rankStudents', {
    query: { schoolDb, days, gradeId, classId, by, page, limit: pageSize },
  });
  const names = useDistinctStudentNames(ranked.data?.rows);
  const hint = useRankingHint(by, days);
  return (
    <section>
      <Group justify="space-between" mb="sm" gap="sm">
        <div>
          <Heading>{t('ranking')}</Heading>
          <Hint aria-live="polite">{hint}</Hint>
        </div>
        <SegmentedControl
          className="no-print"
          aria-label={t('rankBy')}
          value={by}
          onChange={(value) => change({ by: value })}
          data={rankingKinds.map((one) => ({ value: one, label: t(labels[one]) }))}
        />
      </Group>
      <StudentNamesContext value={names}>
        <DataTable<RankedStudent>
          label={t('ranking')}
          columns={columns}
          query={ranked}
          rowKey={({ id }) => id}
          page={page}
          pageSize={pageSize}
          onPage={(next) => change({ page: next })}
          printedWhole
          empty={
            <EmptyState
              icon={IconUsers}
              title={t('noStudentsTitle')}
              hint={t('noStudentsHint')}
              action={
                <Button component={Link} to="/students" mt="xs">
                  {t('toStudents')}
                </Button>
              }
            />
          }
        />
      </StudentNamesContext>
    </section>
  );
}

export function useRankingHint(by: RankingKind, days: number): string {
  const t = useTexts(texts);
  const hints = {
    total: t('hintTotal'),
    recent: t('hintRecent', { count: days }),
    improvement: t('hintImprovement', { count: days }),
  };
  return hints[by];
}

function useRankingColumns(
  gradeId: number | undefined,
  classId: number | undefined,
): readonly Column<RankedStudent>[] {
  const t = useTexts(texts);
  const { shown } = useFigureColumns();
  const distinctName = useDistinctClassName(gradeId);
  const oneClass = useOnlyClassId() !== null || classId !== undefined;
  const className: Column<RankedStudent> = { header: t('class'), phone: 'hidden', cell: distinctName };
  return [
    { header: t('rank'), width: 76, phone: 'hidden', cell: ({ rank }) => <RankMark rank={rank} /> },
    {
      header: t('student'),
      phone: 'title',
      cell: (row) => (
        <Group component="span" display="inline-flex" gap="2px 8px">
          <span className="mantine-hidden-from-sm">
            <RankMark rank={row.rank} />
          </span>
          <StudentLink id={row.id}>
            <StudentName of={row} />
          </StudentLink>
          {!oneClass && (
            <Text span inherit hiddenFrom="sm" fw={400} c="dimmed">
              {distinctName(row)}
            </Text>
          )}
        </Group>
      ),
    },
    ...(oneClass ? [] : [className]),
    ...shown(rankingFigures),
  ];
}
