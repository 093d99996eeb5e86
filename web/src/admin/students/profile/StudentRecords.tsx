import type { ScoreLog, StudentAccount } from '@classledger/contract';
import { Anchor, Box, Group, Text, Title } from '@mantine/core';
import { IconListDetails } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { newIdempotencyKey } from '../../../api/call.ts';
import { useOperationList } from '../../../api/queries.ts';
import { RecordTime } from '../../../components/DateText.tsx';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { DataTable } from '../../../components/list/DataTable.tsx';
import type { Column } from '../../../components/list/data-table-types.ts';
import { ScoreText } from '../../../components/ScoreText.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { NoteDialog } from '../../notes/NoteDialog.tsx';
import { NoteText } from '../../notes/NoteText.tsx';
import { RecordActions } from '../../notes/RecordActions.tsx';
import { ConfirmWriteDialog, useOpenDialog } from '../../page/dialogs.tsx';
import { defineWrite } from '../../page/write.ts';
import { useSchool } from '../../school.tsx';
import { texts as studentsTexts } from '../texts.ts';
import { texts } from './texts.ts';

interface StudentRecordsProps {
  readonly student: StudentAccount;
  readonly readOnly: boolean;
  readonly page: number;
  readonly onPage: (page: number) => void;
}

const pageSize = 20;

export function StudentRecords({ student, readOnly, page, onPage }: StudentRecordsProps) {
  const t = useTexts(texts);
  const s = useTexts(studentsTexts);
  const format = useFormat();
  const { schoolDb } = useSchool();
  const noReason = student.erased ? s('stateErased') : t('noReason');
  const columns = useRecordColumns(noReason);
  const open = useOpenDialog();
  const askToRevoke = ({ id, scoreChange, description }: ScoreLog) => {
    const input = { params: { id }, query: { schoolDb }, idempotencyKey: newIdempotencyKey() };
    open((dialog) => (
      <ConfirmWriteDialog
        {...dialog}
        title={t('revokeTitle')}
        text={t('revokeText', { points: format.signed(scoreChange), reason: description || noReason })}
        confirmLabel={t('undo')}
        run={defineWrite('revokeScoreLog', input, () => t('revoked'))}
        sentences={{ 404: t('revokeGone'), 409: t('revokeClosed') }}
      />
    ));
  };
  const records = useOperationList('listScoreLogs', {
    query: { schoolDb, userId: student.id, page, limit: pageSize },
  });
  return (
    <section>
      <Title order={2} size="h3" mb="sm">
        {t('recordsTitle')}
      </Title>
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
            action={
              <Anchor renderRoot={(props) => <Link to="/scoring" {...props} />}>{t('toScoring')}</Anchor>
            }
          />
        }
        page={page}
        pageSize={pageSize}
        onPage={onPage}
        {...(!readOnly && {
          actions: (record) => (
            <RecordActions
              record={record}
              onNote={(of) =>
                open(({ opened, onClose }) => <NoteDialog of={opened ? of : null} onClose={onClose} />)
              }
              onRevoke={() => askToRevoke(record)}
            />
          ),
        })}
      />
    </section>
  );
}

function useRecordColumns(noReason: string): readonly Column<ScoreLog>[] {
  const t = useTexts(texts);
  return [
    {
      key: 'scoreChange',
      header: t('points'),
      width: 96,
      phone: 'title',
      cell: ({ scoreChange, description, note }) => (
        <Group display="inline-flex" align="baseline" gap="2px 10px">
          <ScoreText value={scoreChange} pill />
          <Box component="span" hiddenFrom="sm">
            {description}
            <NoteText note={note} />
          </Box>
        </Group>
      ),
    },
    {
      key: 'description',
      header: t('reason'),
      phone: 'hidden',
      cell: ({ description, note }) => (
        <>
          {description === '' ? <Text c="dimmed">{noReason}</Text> : description}
          <NoteText note={note} />
        </>
      ),
    },
    {
      key: 'author',
      header: t('by'),
      cell: ({ author }) => {
        if (!author?.name) return t('unknownAuthor');
        return author.type === 'credential' ? t('byCredential', { name: author.name }) : author.name;
      },
    },
    {
      key: 'createdAt',
      header: t('when'),
      align: 'end',
      cell: (record) => <RecordTime record={record} />,
    },
  ];
}
