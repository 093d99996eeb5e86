import type { School } from '@classledger/contract';
import { List } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutationOf } from '../../../api/queries.ts';
import { ConfirmDialog } from '../../../components/ConfirmDialog.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { texts } from '../school-texts.ts';

interface DisableSchoolDialogProps {
  readonly school: School;
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Says what disabling means for the people of a school, then does it. */
export function DisableSchoolDialog({ school, opened, onClose }: DisableSchoolDialogProps) {
  const t = useTexts(texts);
  const disable = useMutationOf('updateSchool', {
    onSuccess: ({ name }) => {
      notifications.show({ message: t('disabledDone', { name }) });
      close();
    },
  });
  const close = () => {
    disable.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      opened={opened}
      onClose={close}
      title={t('disableTitle', { name: school.name })}
      confirmLabel={t('disable')}
      danger
      onConfirm={() => disable.mutate({ params: { id: school.id }, body: { disabled: true } })}
      pending={disable.isPending}
      error={disable.error}
    >
      <List spacing={6} pe="md">
        <List.Item>{t('disablePeople')}</List.Item>
        <List.Item>{t('disableCredentials')}</List.Item>
        <List.Item>{t('disableData')}</List.Item>
        <List.Item>{t('disableBack')}</List.Item>
      </List>
    </ConfirmDialog>
  );
}
