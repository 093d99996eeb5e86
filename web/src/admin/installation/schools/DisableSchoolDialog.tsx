import type { School } from '@classledger/contract';
import { List } from '@mantine/core';
import { ConfirmDialog, type DialogProps } from '../../../components/ConfirmDialog.tsx';
import { useChange } from '../../../components/use-change.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { texts } from '../school-texts.ts';

interface DisableSchoolDialogProps extends DialogProps {
  readonly school: School;
}

/** Says what disabling means for the people of a school, then does it. */
export function DisableSchoolDialog({ school, opened, onClose }: DisableSchoolDialogProps) {
  const t = useTexts(texts);
  const disable = useChange('updateSchool', ({ name }) => t('disabledDone', { name }), onClose);
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={t('disableTitle', { name: school.name })}
      confirmLabel={t('disable')}
      danger
      onConfirm={() => disable.mutate({ params: { id: school.id }, body: { disabled: true } })}
      mutation={disable}
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
