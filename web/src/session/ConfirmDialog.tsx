import { Button, Group, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { endConfirmation } from '../api/confirmation.ts';
import { useMutationOf } from '../api/queries.ts';
import { FailureAlert } from '../components/FailureAlert.tsx';
import { useForm } from '../components/use-form.ts';
import { useTexts } from '../i18n/texts.ts';
import { confirmTexts } from './factor-texts.ts';
import { NativeDialog } from './NativeDialog.tsx';
import { PasswordAlternatives } from './PasswordAlternatives.tsx';

export interface ConfirmDialogProps {
  readonly username: string;
  readonly schoolId: number | null;
}

export default function ConfirmDialog({ username, schoolId }: ConfirmDialogProps) {
  const t = useTexts(confirmTexts);
  const [password, setPassword] = useState('');
  const end = () => endConfirmation(true);
  const cancel = () => endConfirmation(false);
  const confirm = useMutationOf('confirm', { onSuccess: end });
  const faults = { password: password === '' && t('required') };
  const { form, shown } = useForm(faults, () => confirm.mutate({ body: { password } }));
  return (
    <NativeDialog title={t('confirmTitle')} text={t('confirmText')} onCancel={cancel}>
      <form {...form}>
        <Stack>
          {/* Password managers look for a username beside the password. */}
          <TextInput label={t('username')} value={username} autoComplete="username" readOnly />
          <PasswordInput
            label={t('password')}
            value={password}
            onChange={(event) => {
              confirm.reset();
              setPassword(event.currentTarget.value);
            }}
            error={shown.password}
            autoComplete="current-password"
            required
            withAsterisk={false}
          />
          <FailureAlert error={confirm.error} sentences={{ 403: t('wrongPassword') }} />
          <Group justify="flex-end">
            <Button variant="default" onClick={cancel}>
              {t('cancel')}
            </Button>
            <Button type="submit" loading={confirm.isPending}>
              {t('confirm')}
            </Button>
          </Group>
        </Stack>
      </form>
      <PasswordAlternatives schoolId={schoolId} onConfirmed={end} />
    </NativeDialog>
  );
}
