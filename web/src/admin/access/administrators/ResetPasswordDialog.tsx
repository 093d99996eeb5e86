import type { Administrator } from '@classledger/contract';
import { Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useMutationOf } from '../../../api/queries.ts';
import { FormEnd } from '../../../components/FormEnd.tsx';
import { useForm } from '../../../components/use-form.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { PasswordShown } from './PasswordShown.tsx';
import { texts } from './texts.ts';

interface ResetPasswordDialogProps {
  readonly administrator: Administrator;
  readonly opened: boolean;
  readonly onClose: () => void;
}

export function ResetPasswordDialog({ administrator, opened, onClose }: ResetPasswordDialogProps) {
  const t = useTexts(texts);
  const [set, setSet] = useState<string | null>(null);
  const title = t('newPasswordTitle', { name: administrator.username });
  const close = () => {
    onClose();
    setSet(null);
  };
  return (
    <>
      <Modal opened={opened && set === null} onClose={close} title={title}>
        <ResetForm administrator={administrator} onClose={close} onSet={setSet} />
      </Modal>
      {set !== null && (
        <PasswordShown
          opened={opened}
          title={title}
          username={administrator.username}
          password={set}
          onClose={close}
        />
      )}
    </>
  );
}

interface ResetFormProps extends Omit<ResetPasswordDialogProps, 'opened'> {
  readonly onSet: (password: string) => void;
}

function ResetForm({ administrator, onClose, onSet }: ResetFormProps) {
  const t = useTexts(texts);
  const reset = useMutationOf('resetAdministratorPassword', {
    onSuccess: ({ initialPassword }) => onSet(initialPassword),
  });
  const { form } = useForm({}, () => reset.mutate({ params: { id: administrator.id } }));
  return (
    <form {...form}>
      <Stack>
        <Text size="sm">{t('resetText')}</Text>
        <FormEnd
          attempt={reset}
          sentences={{ 403: t('refused') }}
          onCancel={onClose}
          submitLabel={t('resetPassword')}
        />
      </Stack>
    </form>
  );
}
