import type { Administrator } from '@classledger/contract';
import { Modal, Text } from '@mantine/core';
import { ConfirmDialog, type DialogProps } from '../../../components/ConfirmDialog.tsx';
import { useMutationWithNotice } from '../../../components/use-mutation-with-notice.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useMe } from '../../me.ts';
import { AdministratorForm } from './AdministratorForm.tsx';
import type { AdministratorAction } from './AdministratorMenu.tsx';
import { type Affiliation, affiliationFields, affiliationOf, isSameAffiliation } from './affiliation.ts';
import { ResetPasswordDialog } from './ResetPasswordDialog.tsx';
import { texts } from './texts.ts';

interface AdministratorDialogsProps extends AdministratorAction, DialogProps {}

export function AdministratorDialogs({ administrator, kind, opened, onClose }: AdministratorDialogsProps) {
  const t = useTexts(texts);
  const { id, username: name } = administrator;
  const disable = useMutationWithNotice('updateAdministrator', () => t('disabledDone', { name }), onClose);
  const resetFactor = useMutationWithNotice(
    'resetSecondFactor',
    () => t('resetFactorDone', { name }),
    onClose,
  );
  const remove = useMutationWithNotice('deleteAdministrator', () => t('deletedDone', { name }), onClose);
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
        opened={opened && kind === 'resetFactor'}
        onClose={onClose}
        title={t('resetFactorTitle', { name })}
        confirmLabel={t('resetFactor')}
        danger
        onConfirm={() => resetFactor.mutate({ params: { id } })}
        mutation={resetFactor}
        sentences={{ 403: t('refused'), 409: t('noFactor') }}
      >
        <Text size="sm">{t('resetFactorText')}</Text>
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

interface EditDialogProps extends DialogProps {
  readonly administrator: Administrator;
}

function EditDialog({ administrator, opened, onClose }: EditDialogProps) {
  const t = useTexts(texts);
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t('editTitle', { name: administrator.username })}
      closeOnClickOutside={false}
    >
      <EditForm administrator={administrator} onClose={onClose} />
    </Modal>
  );
}

function EditForm({ administrator, onClose }: Omit<EditDialogProps, 'opened'>) {
  const t = useTexts(texts);
  const me = useMe();
  const before = affiliationOf(administrator);
  const stays = (affiliation: Affiliation) => isSameAffiliation(before, affiliation);
  const update = useMutationWithNotice('updateAdministrator', () => t('saved'), onClose);
  return (
    <AdministratorForm
      initial={{ username: administrator.username, affiliation: before }}
      submitLabel={t('save')}
      onSubmit={({ username, affiliation }) =>
        update.mutate({
          params: { id: administrator.id },
          // Unchanged fields are not sent, so an administrator whose class was deleted can still be renamed.
          body: { username, ...(!stays(affiliation) && affiliationFields(affiliation)) },
        })
      }
      onCancel={onClose}
      attempt={update}
      roleLocked={administrator.id === me.id}
      mayLack={stays}
    />
  );
}
