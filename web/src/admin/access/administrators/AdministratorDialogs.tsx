import { Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutationOf } from '../../../api/queries.ts';
import { ConfirmDialog } from '../../../components/ConfirmDialog.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import type { AdministratorAction } from './AdministratorMenu.tsx';
import { EditDialog } from './EditDialog.tsx';
import { ResetPasswordDialog } from './ResetPasswordDialog.tsx';
import { texts } from './texts.ts';

interface AdministratorDialogsProps extends AdministratorAction {
  /** False while it closes. */
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** The dialogs of one administrator: edit, new password, disable, delete. */
export function AdministratorDialogs({ administrator, kind, opened, onClose }: AdministratorDialogsProps) {
  const t = useTexts(texts);
  const { id, username: name } = administrator;
  const disable = useMutationOf('updateAdministrator', {
    onSuccess: () => {
      notifications.show({ message: t('disabledDone', { name }) });
      onClose();
    },
  });
  const remove = useMutationOf('deleteAdministrator', {
    onSuccess: () => {
      notifications.show({ message: t('deletedDone', { name }) });
      onClose();
    },
  });
  const close = () => {
    // A refusal belongs to the attempt, not to the next one.
    disable.reset();
    remove.reset();
    onClose();
  };
  return (
    <>
      <EditDialog administrator={administrator} opened={opened && kind === 'edit'} onClose={onClose} />
      <ResetPasswordDialog
        administrator={administrator}
        opened={opened && kind === 'resetPassword'}
        onClose={onClose}
      />
      <ConfirmDialog
        opened={opened && kind === 'disable'}
        onClose={close}
        title={t('disableTitle', { name })}
        confirmLabel={t('disable')}
        onConfirm={() => disable.mutate({ params: { id }, body: { disabled: true } })}
        pending={disable.isPending}
        error={disable.error}
        sentences={{ 403: t('refused') }}
      >
        <Text size="sm">{t('disableText')}</Text>
      </ConfirmDialog>
      <ConfirmDialog
        opened={opened && kind === 'delete'}
        onClose={close}
        title={t('deleteTitle', { name })}
        confirmLabel={t('delete')}
        danger
        typedText={name}
        onConfirm={() => remove.mutate({ params: { id } })}
        pending={remove.isPending}
        error={remove.error}
        sentences={{ 403: t('refused') }}
      >
        <Text size="sm">{t('deleteText')}</Text>
        <Text size="sm" c="dimmed">
          {t('insteadDisable')}
        </Text>
      </ConfirmDialog>
    </>
  );
}
