import type { ClassSummary, ClassTeams, Team } from '@classledger/contract';
import { Group, Select, Text, Title } from '@mantine/core';
import { DataTable } from '../../../components/list/DataTable.tsx';
import type { Column } from '../../../components/list/data-table-types.ts';
import { SaveTableMenu } from '../../../components/list/SaveTableMenu.tsx';
import { TotalText } from '../../../components/ScoreText.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { useTexts } from '../../../i18n/texts.ts';
import classes from './Teams.module.css';
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
    { key: 'rank', header: t('rank'), width: 80, cell: ({ rank }) => format.number(rank) },
    {
      key: 'name',
      header: t('team'),
      phone: 'title',
      cell: ({ name, colour }) => (
        <span className={classes.named} data-colour={colour}>
          {name}
        </span>
      ),
    },
    {
      key: 'members',
      header: t('members'),
      align: 'end',
      phone: 'hidden',
      cell: ({ userIds }) => format.number(userIds.length),
    },
    {
      key: 'memberPoints',
      header: t('memberPoints'),
      align: 'end',
      cell: ({ memberPoints }) => <TotalText value={memberPoints} />,
    },
    {
      key: 'ownPoints',
      header: t('ownPoints'),
      align: 'end',
      cell: ({ ownPoints }) => <TotalText value={ownPoints} />,
    },
    {
      key: 'points',
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
    header: [t('rank'), t('team'), t('members'), t('memberPoints'), t('ownPoints'), t('total')],
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
        <Title order={2} size="h3">
          {t('ranking')}
        </Title>
        <Group align="end" gap="xs">
          <Select
            label={t('rankingBy')}
            value={ranking}
            onChange={(value) => value && onRanking(value as ClassTeams['ranking'])}
            data={[
              { value: 'average', label: t('byAverage') },
              { value: 'sum', label: t('bySum') },
            ]}
            allowDeselect={false}
          />
          <SaveTableMenu name={t('fileName', { class: of.name })} rowCount={ranked.length} build={table} />
        </Group>
      </Group>
      <DataTable<Team>
        label={t('ranking')}
        columns={columns}
        query={{
          data: { rows: ranked, total: ranked.length },
          error: null,
          isPending: false,
          refetch: () => undefined,
        }}
        rowKey={({ id }) => id}
        empty={null}
      />
      <Text size="sm" c="dimmed" mt="xs">
        {t('rankingHint')}
      </Text>
    </section>
  );
}
