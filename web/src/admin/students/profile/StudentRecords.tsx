import type { ScoreLog } from '@classledger/contract';
import { Anchor, Text, Title } from '@mantine/core';
import { IconListDetails } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { newIdempotencyKey } from '../../../api/call.ts';
import { useOperationList } from '../../../api/queries.ts';
import { ConfirmDialog } from '../../../components/ConfirmDialog.tsx';
import { RecordTime } from '../../../components/DateText.tsx';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { DataTable } from '../../../components/list/DataTable.tsx';
import type { Column } from '../../../components/list/data-table-types.ts';
import { ScoreText } from '../../../components/ScoreText.tsx';
import { useMutationWithNotice } from '../../../components/use-mutation-with-notice.ts';
import { useFormat } from '../../../i18n/format.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { NoteDialog, type NotedRecord } from '../../notes/NoteDialog.tsx';
import { NoteText } from '../../notes/NoteText.tsx';
import { RecordActions } from '../../notes/RecordActions.tsx';
import { useSchool } from '../../school.tsx';
import classes from './StudentPage.module.css';
import { texts } from './texts.ts';

interface StudentRecordsProps {
  readonly userId: number;
  readonly erased: boolean;
  readonly readOnly: boolean;
  readonly page: number;
  readonly onPage: (page: number) => void;
}

const pageSize = 20;

export function StudentRecords({ userId, erased, readOnly, page, onPage }: StudentRecordsProps) {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const noReason = t(erased ? 'erased' : 'noReason');
  const columns = useRecordColumns(noReason);
  const [noting, setNoting] = useState<NotedRecord | null>(null);
  const [revoking, setRevoking] = useState<ScoreLog | null>(null);
  const records = useOperationList('listScoreLogs', { query: { schoolDb, userId, page, limit: pageSize } });
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
            <RecordActions record={record} onNote={setNoting} onRevoke={() => setRevoking(record)} />
          ),
        })}
      />
      <NoteDialog of={noting} onClose={() => setNoting(null)} />
      <RevokeDialog record={revoking} noReason={noReason} onClose={() => setRevoking(null)} />
    </section>
  );
}

function useRecordColumns(noReason: string): readonly Column<ScoreLog>[] {
  const t = useTexts(texts);
  return useMemo(
    () => [
      {
        key: 'scoreChange',
        header: t('points'),
        width: 96,
        phone: 'title',
        cell: ({ scoreChange, description, note }) => (
          <span className={classes.entry}>
            <ScoreText value={scoreChange} pill />
            <span className={classes.entryReason}>
              {description}
              <NoteText note={note} />
            </span>
          </span>
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
    ],
    [t, noReason],
  );
}

interface RevokeDialogProps {
  readonly record: ScoreLog | null;
  readonly noReason: string;
  readonly onClose: () => void;
}

function RevokeDialog({ record, noReason, onClose }: RevokeDialogProps) {
  const t = useTexts(texts);
  const format = useFormat();
  const { schoolDb } = useSchool();
  const [shown, setShown] = useState(record);
  // Keeps the record, so that the dialog still shows it while it closes.
  if (record && record !== shown) setShown(record);
  const revoke = useMutationWithNotice('revokeScoreLog', () => t('revoked'), onClose);
  return (
    <ConfirmDialog
      opened={record !== null}
      onClose={onClose}
      title={t('revokeTitle')}
      confirmLabel={t('revoke')}
      onConfirm={() => {
        if (!record) return;
        revoke.mutate({
          params: { id: record.id },
          query: { schoolDb },
          idempotencyKey: newIdempotencyKey(),
        });
      }}
      mutation={revoke}
      sentences={{ 404: t('revokeGone'), 409: t('revokeClosed') }}
    >
      {shown && (
        <Text size="sm">
          {t('revokeText', {
            points: format.signed(shown.scoreChange),
            reason: shown.description || noReason,
          })}
        </Text>
      )}
    </ConfirmDialog>
  );
}
