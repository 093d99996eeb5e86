import { limits } from 'virtual:contract';
import type { ScoreLog } from '@classledger/contract';
import { Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../api/call.ts';
import { invalidateStaleReads } from '../../../api/stale-reads.ts';
import { ConfirmDialog } from '../../../components/ConfirmDialog.tsx';
import { useStudentNames } from '../../../components/student-names.ts';
import { useFormat } from '../../../i18n/format.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useSchool } from '../../school.tsx';
import { PartlyRevokedError, revokeInBatches } from './revoke-in-batches.ts';
import { texts } from './texts.ts';

interface RevokeRecordsDialogProps {
  /** The records to revoke; empty while the dialog is closed. */
  readonly records: readonly ScoreLog[];
  readonly onClose: () => void;
  readonly onRevoked: (left: readonly number[]) => void;
}

export function RevokeRecordsDialog({ records, onClose, onRevoked }: RevokeRecordsDialogProps) {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const client = useQueryClient();
  const [shown, setShown] = useState(records);
  if (records.length > 0 && records !== shown) setShown(records);
  const revoke = useMutation({
    mutationFn: (ids: readonly number[]) =>
      revokeInBatches(ids, limits.scoresPerRequestMax, (part) =>
        call('revokeScoreLogs', { body: { schoolDb, ids: part } }),
      ),
    onSuccess: (count) => {
      notifications.show({ message: count === 0 ? t('revokedAlready') : t('revoked', { count }) });
      onRevoked([]);
      onClose();
    },
    onError: (error) => {
      if (error instanceof PartlyRevokedError) onRevoked(error.left);
    },
    onSettled: () => invalidateStaleReads(client, ['revokeScoreLogs']),
  });
  const failure = revoke.error instanceof PartlyRevokedError ? revoke.error.cause : revoke.error;
  const left = revoke.error instanceof PartlyRevokedError ? revoke.error.left : null;
  return (
    <ConfirmDialog
      opened={records.length > 0}
      onClose={onClose}
      title={t('revokeTitle', { count: shown.length })}
      confirmLabel={t('revoke')}
      onConfirm={() => revoke.mutate(left ?? records.map(({ id }) => id))}
      mutation={{ ...revoke, error: failure }}
      sentences={{ 404: t('revokeGone'), 409: t('revokeClosed') }}
    >
      <Consequences records={shown} />
    </ConfirmDialog>
  );
}

function Consequences({ records }: { readonly records: readonly ScoreLog[] }) {
  const t = useTexts(texts);
  const format = useFormat();
  const { textOf } = useStudentNames();
  const [first] = records;
  if (!first) return null;
  if (records.length === 1) {
    const { scoreChange, description: reason } = first;
    const student = textOf(first);
    const points = format.signed(scoreChange);
    return (
      <Text size="sm">
        {reason === ''
          ? t('revokeOneBare', { points, student })
          : t('revokeOne', { points, student, reason })}
      </Text>
    );
  }
  const students = new Set(records.map(({ userId }) => userId)).size;
  const points = records.reduce((sum, { scoreChange }) => sum + scoreChange, 0);
  return (
    <>
      <Text size="sm">{t('revokeMany', { points: format.signed(points), count: students })}</Text>
      <Text size="sm" c="dimmed">
        {t('revokeKept')}
      </Text>
    </>
  );
}
