import type { Credential } from '@classledger/contract';
import { Text } from '@mantine/core';
import { ConfirmDialog, type DialogProps } from '../../../components/ConfirmDialog.tsx';
import { useMutationWithNotice } from '../../../components/use-mutation-with-notice.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { PasswordAlternatives } from '../../../session/PasswordAlternatives.tsx';
import { useMe } from '../../me.ts';
import { useSchool } from '../../school.tsx';
import { texts } from './texts.ts';
import { isCredentialInRange, useRefusal } from './use-refusal.ts';

interface RevokeDialogProps extends DialogProps {
  readonly credential: Credential;
}

export function RevokeDialog({ credential, opened, onClose }: RevokeDialogProps) {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const { schoolId } = useMe();
  const { id, name } = credential;
  const revoke = useMutationWithNotice('revokeCredential', () => t('revokedDone', { name }), onClose);
  const refusal = useRefusal(revoke.error, () => isCredentialInRange(schoolDb, credential));
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={t('revokeTitle', { name })}
      confirmLabel={t('revoke')}
      danger
      otherProofs={(onConfirmed) => <PasswordAlternatives schoolId={schoolId} onConfirmed={onConfirmed} />}
      onConfirm={(password) =>
        revoke.mutate({ params: { id }, query: { schoolDb }, confirmPassword: password ?? undefined })
      }
      mutation={{ ...revoke, error: refusal.error }}
      sentences={refusal.sentences}
    >
      <Text size="sm">{t('revokeText')}</Text>
    </ConfirmDialog>
  );
}
