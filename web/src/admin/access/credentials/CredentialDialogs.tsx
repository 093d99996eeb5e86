import { Text } from '@mantine/core';
import type { DataOf } from '../../../api/operation-types.ts';
import { ConfirmDialog, type DialogProps } from '../../../components/ConfirmDialog.tsx';
import { useMutationWithNotice } from '../../../components/use-mutation-with-notice.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { PasswordAlternatives } from '../../../session/PasswordAlternatives.tsx';
import { useMe } from '../../me.ts';
import { useSchool } from '../../school.tsx';
import type { CredentialAction } from './CredentialMenu.tsx';
import { EditDialog } from './EditDialog.tsx';
import { SimulationDialog } from './simulation/simulations.tsx';
import { texts } from './texts.ts';
import { isCredentialInRange, useRefusal } from './use-refusal.ts';

interface CredentialDialogsProps extends CredentialAction, DialogProps {
  readonly meta: DataOf<'getCredentialMeta'>;
}

export function CredentialDialogs({ meta, credential, kind, opened, onClose }: CredentialDialogsProps) {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const { schoolId } = useMe();
  const { id, name } = credential;
  const disable = useMutationWithNotice('updateCredential', () => t('disabledDone', { name }), onClose);
  const revoke = useMutationWithNotice('revokeCredential', () => t('revokedDone', { name }), onClose);
  const refusal = useRefusal(revoke.error, () => isCredentialInRange(schoolDb, credential));
  return (
    <>
      <EditDialog meta={meta} credential={credential} opened={opened && kind === 'edit'} onClose={onClose} />
      <SimulationDialog credential={credential} opened={opened && kind === 'simulate'} onClose={onClose} />
      <ConfirmDialog
        opened={opened && kind === 'disable'}
        onClose={onClose}
        title={t('disableTitle', { name })}
        confirmLabel={t('disable')}
        onConfirm={() => disable.mutate({ params: { id }, body: { schoolDb, disabled: true } })}
        mutation={disable}
      >
        <Text size="sm">{t('disableText')}</Text>
      </ConfirmDialog>
      <ConfirmDialog
        opened={opened && kind === 'revoke'}
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
    </>
  );
}
