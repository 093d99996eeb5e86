import type { Standing } from '@classledger/contract';
import { Button, Group, Text } from '@mantine/core';
import { IconCalendarOff, IconPrinter, IconUsers } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { hasStatus } from '../../../api/api-failure.ts';
import type { DataOf } from '../../../api/operation-types.ts';
import { useOperation } from '../../../api/queries.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { LoadingOrError } from '../../../components/LoadingOrError.tsx';
import { DataTable } from '../../../components/list/DataTable.tsx';
import { type Column, knownRows } from '../../../components/list/data-table-types.ts';
import { SaveTableMenu } from '../../../components/list/SaveTableMenu.tsx';
import { PageHeader } from '../../../components/PageHeader.tsx';
import { RankMark } from '../../../components/RankMark.tsx';
import { ScoreText } from '../../../components/ScoreText.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { BackLink } from '../../BackLink.tsx';
import { useSchool } from '../../school.tsx';
import { texts } from './texts.ts';

type ClosedTerm = DataOf<'getTerm'>;

export function TermDetails({ id }: { readonly id: number }) {
  const t = useTexts(texts);
  const { schoolDb, name } = useSchool();
  const term = useOperation('getTerm', { params: { id }, query: { schoolDb } });
  return (
    <>
      <BackLink to="/terms" search={({ term: _, ...others }) => others}>
        {t('title')}
      </BackLink>
      <Text className="only-print" mb={4}>
        {name}
      </Text>
      {hasStatus(term.error, 403, 404) ? (
        <EmptyState icon={IconCalendarOff} title={t('missingTitle')} hint={t('missingHint')} />
      ) : term.data ? (
        <Details term={term.data} />
      ) : (
        <LoadingOrError of={[term]} />
      )}
    </>
  );
}

function Details({ term }: { readonly term: ClosedTerm }) {
  const t = useTexts(texts);
  const format = useFormat();
  const columns = useStandingColumns();
  const classLabel = useClassLabel()(term);
  const { standings } = term;
  const span = t('span', {
    class: classLabel,
    from: format.day(term.startedAt),
    to: format.day(term.closedAt),
  });
  const by = t('closedByAt', { name: term.closedBy?.username ?? t('nobody') });
  const table = () => ({
    header: [t('rank'), t('student'), t('username'), t('points'), t('plus'), t('minus'), t('records')],
    rows: standings.map((one) => [
      one.rank,
      one.actualName,
      one.username,
      one.totalScore,
      one.addScore,
      one.deductScore,
      one.scoreCount,
    ]),
  });
  return (
    <>
      <PageHeader
        title={term.name}
        description={`${span} · ${by}`}
        actions={
          <>
            <Button
              variant="default"
              renderRoot={(props) => <Link to="/records" search={{ term: term.id }} {...props} />}
            >
              {t('showRecords')}
            </Button>
            {standings.length > 0 && (
              <>
                <Button
                  variant="default"
                  leftSection={<IconPrinter aria-hidden size={16} />}
                  onClick={() => window.print()}
                >
                  {t('print')}
                </Button>
                <SaveTableMenu
                  name={t('fileName', { name: term.name, class: classLabel })}
                  rowCount={standings.length}
                  build={table}
                />
              </>
            )}
          </>
        }
      />
      <DataTable<Standing>
        label={t('standings')}
        columns={columns}
        query={knownRows(standings)}
        rowKey={({ userId }) => userId}
        empty={
          term.action === 'reset' ? (
            <EmptyState icon={IconCalendarOff} title={t('resetTitle')} hint={t('resetHint')} />
          ) : (
            <EmptyState icon={IconUsers} title={t('nobodyTitle')} hint={t('nobodyHint')} />
          )
        }
      />
    </>
  );
}

function useStandingColumns(): readonly Column<Standing>[] {
  const t = useTexts(texts);
  const format = useFormat();
  return [
    { header: t('rank'), width: 72, phone: 'hidden', cell: ({ rank }) => <RankMark rank={rank} /> },
    {
      header: t('student'),
      phone: 'title',
      cell: ({ rank, actualName, username }) => (
        <Group component="span" gap="2px 8px" align="baseline">
          <span className="mantine-hidden-from-sm">
            <RankMark rank={rank} />
          </span>
          <strong>{actualName}</strong>
          {username !== actualName && (
            <Text span inherit fw={400} c="dimmed">
              {username}
            </Text>
          )}
        </Group>
      ),
    },
    { header: t('points'), align: 'end', cell: ({ totalScore }) => <ScoreText value={totalScore} pill /> },
    { header: t('plus'), align: 'end', cell: ({ addScore }) => <ScoreText value={addScore} /> },
    { header: t('minus'), align: 'end', cell: ({ deductScore }) => <ScoreText value={deductScore} /> },
    { header: t('records'), align: 'end', cell: ({ scoreCount }) => format.number(scoreCount) },
  ];
}

/** Returns a function that names the class of a past term, with its grade; a deleted class by its name in that term. */
export function useClassLabel(): (term: Pick<ClosedTerm, 'classId' | 'className'>) => string {
  const { schoolDb } = useSchool();
  const { data } = useOperation('listSchoolClasses', { query: { schoolDb } });
  return ({ classId, className }) => {
    const known = data?.find(({ id }) => id === classId);
    return known ? `${known.gradeName} ${className}` : className;
  };
}
