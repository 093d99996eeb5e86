import { limits } from 'virtual:contract';
import { Alert, Button, PasswordInput, Stack } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useMutationOf } from '../../api/queries.ts';
import { FailureAlert } from '../../components/FailureAlert.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { useStudent } from '../me.ts';
import { texts } from './texts.ts';

const { passwordLengthMin, passwordLengthMax } = limits;

/** Changes the own password. */
export function PasswordForm() {
  const t = useTexts(texts);
  const { username } = useStudent();
  const [oldPassword, setOldPassword] = useState('');
  const [newPassword, setNewPassword] = useState('');
  const [tooShort, setTooShort] = useState(false);
  const change = useMutationOf('changeStudentPassword', {
    onSuccess: () => {
      setOldPassword('');
      setNewPassword('');
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const refused = [...newPassword].length < passwordLengthMin;
    setTooShort(refused);
    if (!refused) change.mutate({ body: { oldPassword, newPassword } });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        {/* Tells password managers whose password this is. */}
        <input type="text" autoComplete="username" value={username} readOnly hidden />
        <PasswordInput
          label={t('oldPassword')}
          value={oldPassword}
          onChange={(event) => setOldPassword(event.currentTarget.value)}
          autoComplete="current-password"
          required
          withAsterisk={false}
        />
        <PasswordInput
          label={t('newPassword')}
          description={t('passwordRule', { count: passwordLengthMin })}
          value={newPassword}
          onChange={(event) => {
            setNewPassword(event.currentTarget.value);
            setTooShort(false);
          }}
          error={tooShort && t('tooShort', { count: passwordLengthMin })}
          maxLength={passwordLengthMax}
          autoComplete="new-password"
          required
          withAsterisk={false}
        />
        <FailureAlert error={change.error} sentences={{ 400: t('wrongPassword') }} />
        <div role="status">
          {change.isSuccess && oldPassword === '' && newPassword === '' && (
            <Alert color="plus" py="xs">
              {t('passwordChanged')}
            </Alert>
          )}
        </div>
        <Button type="submit" variant="default" loading={change.isPending}>
          {t('changePassword')}
        </Button>
      </Stack>
    </form>
  );
}
