import { limits } from 'virtual:contract';
import type { ScoreLog } from '@classledger/contract';
import { Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { invalidateStaleReads } from '../../api/stale-reads.ts';
import { ConfirmDialog, type DialogProps } from '../../components/ConfirmDialog.tsx';
import { Hint } from '../../components/Hint.tsx';
import { useStudentNames } from '../../components/student-names.ts';
import { useFormat } from '../../i18n/format.ts';
import { useTexts } from '../../i18n/texts.ts';
import { useSchool } from '../school.tsx';
import { revokeInBatches } from './revoke-in-batches.ts';
import { texts } from './texts.ts';

interface RevokeRecordsDialogProps extends DialogProps {
  readonly records: readonly ScoreLog[];
  readonly onRevoked?: ((ids: readonly number[]) => void) | undefined;
}

export function RevokeRecordsDialog({ records, onRevoked, ...dialog }: RevokeRecordsDialogProps) {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const client = useQueryClient();
  // After a failure, the next attempt sends only the records that are left.
  const [left] = useState(() => records.map(({ id }) => id));
  const revoke = useMutation({
    mutationFn: () =>
      revokeInBatches(left, limits.scoresPerRequestMax, async (ids) => {
        const answer = await call('revokeScoreLogs', { body: { schoolDb, ids } });
        onRevoked?.(ids);
        return answer;
      }),
    onSuccess: (count) => {
      notifications.show({ message: count === 0 ? t('revokedAlready') : t('revoked', { count }) });
      dialog.onClose();
    },
    onSettled: () => invalidateStaleReads(client, ['revokeScoreLogs']),
  });
  return (
    <ConfirmDialog
      {...dialog}
      title={t('revokeTitle', { count: records.length })}
      confirmLabel={t('undo')}
      onConfirm={() => revoke.mutate()}
      mutation={revoke}
      sentences={{ 404: t('revokeGone'), 409: t('revokeClosed') }}
    >
      <Consequences records={records} />
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
      <Hint>{t('revokeKept')}</Hint>
    </>
  );
}
