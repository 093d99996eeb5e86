import type { ClassSummary, ClassTeams, Team, TeamRecord } from '@classledger/contract';
import { Badge, Box, Button, Group, Select, Text } from '@mantine/core';
import { useState } from 'react';
import { useMutationOf, useOperationList } from '../../../api/queries.ts';
import { DateText } from '../../../components/DateText.tsx';
import { Hint } from '../../../components/Hint.tsx';
import { DataTable } from '../../../components/list/DataTable.tsx';
import { type Column, knownRows } from '../../../components/list/data-table-types.ts';
import { SaveTableMenu } from '../../../components/list/SaveTableMenu.tsx';
import { ScoreText, TotalText } from '../../../components/ScoreText.tsx';
import { useFailureNotice } from '../../../components/use-failure-notice.ts';
import { useFormat } from '../../../i18n/format.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useMe } from '../../me.ts';
import { Heading } from '../../page/Page.tsx';
import { useIsManagedClass } from '../../school.tsx';
import { teamColour } from '../class-teams.ts';
import { optionsOf } from '../parts.tsx';
import { texts } from './texts.ts';

interface TeamRankingProps {
  readonly of: ClassSummary;
  readonly saved: ClassTeams;
  readonly onRanking: (ranking: ClassTeams['ranking']) => void;
}

export function TeamRanking({ of, saved: { teams, ranking }, onRanking }: TeamRankingProps) {
  const t = useTexts(texts);
  const format = useFormat();
  const ranked = teams.toSorted((a, b) => a.rank - b.rank);
  const columns: readonly Column<Team>[] = [
    { header: t('rank'), width: 80, cell: ({ rank }) => format.number(rank) },
    {
      header: t('team'),
      phone: 'title',
      cell: ({ name, colour }) => (
        <Group component="span" display="inline-flex" gap={8} wrap="nowrap" style={teamColour(colour)}>
          <Box component="span" w={12} h={12} flex="none" bdrs={99} bg="var(--team)" />
          {name}
        </Group>
      ),
    },
    {
      header: t('members'),
      align: 'end',
      phone: 'hidden',
      cell: ({ userIds }) => format.number(userIds.length),
    },
    ...(['memberPoints', 'ownPoints'] as const).map((key) => ({
      header: t(key),
      align: 'end' as const,
      cell: (team: Team) => <TotalText value={team[key]} />,
    })),
    {
      header: t('total'),
      align: 'end',
      phone: 'aside',
      cell: ({ points }) => (
        <strong>
          <TotalText value={points} />
        </strong>
      ),
    },
  ];
  const table = () => ({
    header: columns.map(({ header }) => header),
    rows: ranked.map((team) => [
      team.rank,
      team.name,
      team.userIds.length,
      team.memberPoints,
      team.ownPoints,
      team.points,
    ]),
  });
  return (
    <section aria-label={t('ranking')}>
      <Group justify="space-between" align="end" mb="xs">
        <Heading>{t('ranking')}</Heading>
        <Group align="end" gap="xs">
          <Select
            label={t('rankingBy')}
            value={ranking}
            onChange={(value) => value && onRanking(value)}
            data={optionsOf({ average: t('byAverage'), sum: t('bySum') })}
            allowDeselect={false}
          />
          <SaveTableMenu name={t('fileName', { class: of.name })} rowCount={ranked.length} build={table} />
        </Group>
      </Group>
      <DataTable<Team>
        label={t('ranking')}
        columns={columns}
        query={knownRows(ranked)}
        rowKey={({ id }) => id}
        empty={null}
      />
      <Hint mt="xs">{t('rankingHint')}</Hint>
    </section>
  );
}

const pageSize = 20;

export function TeamRecords({ schoolDb, classId }: { readonly schoolDb: string; readonly classId: number }) {
  const t = useTexts(texts);
  const format = useFormat();
  const { id: ownId } = useMe();
  const isManaged = useIsManagedClass(classId);
  const [page, setPage] = useState(1);
  const records = useOperationList('listTeamRecords', {
    query: { schoolDb, classId, page, limit: pageSize },
  });
  const revoke = useMutationOf('revokeTeamRecords', { onError: useFailureNotice({ 409: t('closedTerm') }) });
  const columns: readonly Column<TeamRecord>[] = [
    {
      header: t('points'),
      width: 90,
      phone: 'aside',
      cell: ({ scoreChange }) => <ScoreText value={scoreChange} pill />,
    },
    { header: t('team'), phone: 'title', cell: ({ teamName }) => teamName },
    { header: t('reason'), cell: ({ description }) => description },
    { header: t('when'), cell: ({ createdAt }) => <DateText value={createdAt} /> },
    { header: t('by'), cell: ({ author }) => author.name ?? t('nobody') },
  ];
  const actions = (record: TeamRecord) => {
    if (record.revokedAt !== null) return <Badge variant="default">{t('revoked')}</Badge>;
    if (record.termId !== null) return <Badge variant="default">{t('ofPastTerm')}</Badge>;
    const { type, id } = record.author;
    if (!isManaged && (type !== 'admin' || id !== ownId)) return null;
    const points = format.signed(record.scoreChange);
    return (
      <Button
        variant="subtle"
        size="compact-sm"
        h={36}
        aria-label={t('undoRecord', { points, name: record.teamName })}
        onClick={() => revoke.mutate({ body: { schoolDb, classId, ids: [record.id] } })}
      >
        {t('undo')}
      </Button>
    );
  };
  return (
    <section aria-label={t('records')}>
      <Heading mb="xs">{t('records')}</Heading>
      <DataTable<TeamRecord>
        label={t('records')}
        columns={columns}
        query={records}
        rowKey={({ id }) => id}
        page={page}
        pageSize={pageSize}
        onPage={setPage}
        actions={actions}
        empty={<Text c="dimmed">{t('noRecords')}</Text>}
      />
    </section>
  );
}
