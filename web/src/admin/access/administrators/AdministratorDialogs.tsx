import { Text } from '@mantine/core';
import { ConfirmDialog, type DialogProps } from '../../../components/ConfirmDialog.tsx';
import { useChange } from '../../../components/use-change.ts';
import { useTexts } from '../../../i18n/texts.ts';
import type { AdministratorAction } from './AdministratorMenu.tsx';
import { EditDialog } from './EditDialog.tsx';
import { ResetPasswordDialog } from './ResetPasswordDialog.tsx';
import { texts } from './texts.ts';

interface AdministratorDialogsProps extends AdministratorAction, DialogProps {}

/** The dialogs of one administrator: edit, new password, disable, delete. */
export function AdministratorDialogs({ administrator, kind, opened, onClose }: AdministratorDialogsProps) {
  const t = useTexts(texts);
  const { id, username: name } = administrator;
  const disable = useChange('updateAdministrator', () => t('disabledDone', { name }), onClose);
  const remove = useChange('deleteAdministrator', () => t('deletedDone', { name }), onClose);
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
        onClose={onClose}
        title={t('disableTitle', { name })}
        confirmLabel={t('disable')}
        onConfirm={() => disable.mutate({ params: { id }, body: { disabled: true } })}
        mutation={disable}
        sentences={{ 403: t('refused') }}
      >
        <Text size="sm">{t('disableText')}</Text>
      </ConfirmDialog>
      <ConfirmDialog
        opened={opened && kind === 'delete'}
        onClose={onClose}
        title={t('deleteTitle', { name })}
        confirmLabel={t('delete')}
        danger
        typedText={name}
        onConfirm={() => remove.mutate({ params: { id } })}
        mutation={remove}
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
