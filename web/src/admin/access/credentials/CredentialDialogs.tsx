import { Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { DataOf } from '../../../api/operation-types.ts';
import { useMutationOf } from '../../../api/queries.ts';
import { ConfirmDialog } from '../../../components/ConfirmDialog.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { useSchool } from '../../school.tsx';
import type { CredentialAction } from './CredentialMenu.tsx';
import { EditDialog } from './EditDialog.tsx';
import { texts } from './texts.ts';
import { isCredentialInRange, useRefusal } from './use-refusal.ts';

interface CredentialDialogsProps extends CredentialAction {
  readonly meta: DataOf<'getCredentialMeta'>;
  /** False while it closes. */
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** The dialogs of one credential: edit, disable, revoke. */
export function CredentialDialogs({ meta, credential, kind, opened, onClose }: CredentialDialogsProps) {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const { id, name } = credential;
  const disable = useMutationOf('updateCredential', {
    onSuccess: () => {
      notifications.show({ message: t('disabledDone', { name }) });
      onClose();
    },
  });
  const revoke = useMutationOf('revokeCredential', {
    onSuccess: () => {
      notifications.show({ message: t('revokedDone', { name }) });
      onClose();
    },
  });
  const refusal = useRefusal(revoke.error, () => isCredentialInRange(schoolDb, credential));
  const close = () => {
    // A refusal belongs to the attempt, not to the next one.
    disable.reset();
    revoke.reset();
    onClose();
  };
  return (
    <>
      <EditDialog meta={meta} credential={credential} opened={opened && kind === 'edit'} onClose={onClose} />
      <ConfirmDialog
        opened={opened && kind === 'disable'}
        onClose={close}
        title={t('disableTitle', { name })}
        confirmLabel={t('disable')}
        onConfirm={() => disable.mutate({ params: { id }, body: { schoolDb, disabled: true } })}
        pending={disable.isPending}
        error={disable.error}
      >
        <Text size="sm">{t('disableText')}</Text>
      </ConfirmDialog>
      <ConfirmDialog
        opened={opened && kind === 'revoke'}
        onClose={close}
        title={t('revokeTitle', { name })}
        confirmLabel={t('revoke')}
        danger
        withPassword
        onConfirm={(confirmPassword) =>
          revoke.mutate({ params: { id }, query: { schoolDb }, confirmPassword })
        }
        pending={revoke.isPending}
        {...refusal}
      >
        <Text size="sm">{t('revokeText')}</Text>
      </ConfirmDialog>
    </>
  );
}
