import type { TeamRecord } from '@classledger/contract';
import { Badge, Button, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useMutationOf, useOperationList } from '../../../api/queries.ts';
import { DateText } from '../../../components/DateText.tsx';
import { DataTable } from '../../../components/list/DataTable.tsx';
import type { Column } from '../../../components/list/data-table-types.ts';
import { ScoreText } from '../../../components/ScoreText.tsx';
import { useFailureNotice } from '../../../components/use-failure-notice.ts';
import { useFormat } from '../../../i18n/format.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { texts } from './texts.ts';

const pageSize = 20;

export function TeamRecords({ schoolDb, classId }: { readonly schoolDb: string; readonly classId: number }) {
  const t = useTexts(texts);
  const format = useFormat();
  const [page, setPage] = useState(1);
  const records = useOperationList('listTeamRecords', {
    query: { schoolDb, classId, page, limit: pageSize },
  });
  const revoke = useMutationOf('revokeTeamRecords', { onError: useFailureNotice({ 409: t('closedTerm') }) });
  const columns: readonly Column<TeamRecord>[] = [
    {
      key: 'points',
      header: t('points'),
      width: 90,
      phone: 'aside',
      cell: ({ scoreChange }) => <ScoreText value={scoreChange} pill />,
    },
    { key: 'team', header: t('team'), phone: 'title', cell: ({ teamName }) => teamName },
    { key: 'reason', header: t('reason'), cell: ({ description }) => description },
    { key: 'when', header: t('when'), cell: ({ createdAt }) => <DateText value={createdAt} /> },
    { key: 'by', header: t('by'), cell: ({ author }) => author.name ?? t('nobody') },
  ];
  const actions = (record: TeamRecord) => {
    if (record.revokedAt !== null) return <Badge variant="default">{t('revoked')}</Badge>;
    if (record.termId !== null) return <Badge variant="default">{t('ofPastTerm')}</Badge>;
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
      <Title order={2} size="h3" mb="xs">
        {t('records')}
      </Title>
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
