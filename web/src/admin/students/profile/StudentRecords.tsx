import type { ScoreLog, StudentAccount } from '@classledger/contract';
import { Box, Group } from '@mantine/core';
import { IconListDetails } from '@tabler/icons-react';
import { useOperationList } from '../../../api/queries.ts';
import { RecordTime } from '../../../components/DateText.tsx';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { DataTable } from '../../../components/list/DataTable.tsx';
import type { Column } from '../../../components/list/data-table-types.ts';
import { ScoreText } from '../../../components/ScoreText.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { useCategoryColumns } from '../../categories.tsx';
import { RecordActions, RecordReason, useAuthorText } from '../../notes/RecordParts.tsx';
import { PageLink } from '../../PageLink.tsx';
import { Heading } from '../../page/Page.tsx';
import { usePageSearch } from '../../page/use-page-search.ts';
import { useSchool } from '../../school.tsx';
import { texts } from './texts.ts';

interface StudentRecordsProps {
  readonly student: StudentAccount;
  readonly readOnly: boolean;
}

const pageSize = 20;

export function StudentRecords({ student, readOnly }: StudentRecordsProps) {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const { search, change } = usePageSearch('/students/$studentId');
  const { page = 1 } = search;
  const columns = useRecordColumns();
  const records = useOperationList('listScoreLogs', {
    query: { schoolDb, userId: student.id, page, limit: pageSize },
  });
  return (
    <section>
      <Heading mb="sm">{t('recordsTitle')}</Heading>
      <DataTable<ScoreLog>
        label={t('recordsTitle')}
        columns={columns}
        query={records}
        rowKey={({ id }) => id}
        empty={
          <EmptyState
            icon={IconListDetails}
            title={t('noRecordsTitle')}
            hint={t('noRecordsHint')}
            action={<PageLink to="/scoring">{t('toScoring')}</PageLink>}
          />
        }
        page={page}
        pageSize={pageSize}
        onPage={(next) => change({ page: next })}
        {...(!readOnly && { actions: (record) => <RecordActions record={record} /> })}
      />
    </section>
  );
}

function useRecordColumns(): readonly Column<ScoreLog>[] {
  const t = useTexts(texts);
  const authorText = useAuthorText();
  const categoryColumns = useCategoryColumns<ScoreLog>();
  return [
    {
      header: t('points'),
      width: 96,
      phone: 'title',
      cell: (record) => (
        <Group display="inline-flex" align="baseline" gap="2px 10px">
          <ScoreText value={record.scoreChange} pill />
          <Box component="span" hiddenFrom="sm">
            <RecordReason record={record} />
          </Box>
        </Group>
      ),
    },
    { header: t('reason'), phone: 'hidden', cell: (record) => <RecordReason record={record} /> },
    ...categoryColumns,
    { header: t('by'), cell: ({ author }) => authorText(author) },
    { header: t('when'), align: 'end', cell: (record) => <RecordTime record={record} /> },
  ];
}
