import { limits } from 'virtual:contract';
import { Alert, Button, Group, PasswordInput, Stack } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import { hasStatus } from '../../../api/api-failure.ts';
import { useMutationOf } from '../../../api/queries.ts';
import { FailureAlert } from '../../../components/FailureAlert.tsx';
import { showFaults } from '../../../components/show-faults.ts';
import { commonTexts } from '../../../i18n/common-texts.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useMe } from '../../me.ts';
import { faultsOf, type TypedPasswords } from './new-password.ts';
import { texts } from './texts.ts';

const nothingTyped: TypedPasswords = { old: '', fresh: '', repeated: '' };

/** Changes the own password; who does not know the present one cannot. */
export function PasswordForm() {
  const t = useTexts(texts);
  const c = useTexts(commonTexts);
  const { username } = useMe();
  const [typed, setTyped] = useState(nothingTyped);
  const [tried, setTried] = useState(false);
  const oldField = useRef<HTMLInputElement>(null);
  const change = useMutationOf('changeMyPassword', {
    onSuccess: () => {
      setTyped(nothingTyped);
      setTried(false);
    },
    onError: () => oldField.current?.focus(),
  });
  const faults = faultsOf(typed);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    showFaults(event.currentTarget, () => setTried(true));
    if (Object.keys(faults).length > 0) return;
    change.mutate({ body: { oldPassword: typed.old, newPassword: typed.fresh } });
  };
  const field = (name: keyof TypedPasswords) => {
    const fault = tried ? faults[name] : undefined;
    return {
      value: typed[name],
      onChange: (event: { currentTarget: { value: string } }) => {
        const { value } = event.currentTarget;
        change.reset();
        setTyped((before) => ({ ...before, [name]: value }));
      },
      error:
        fault === undefined
          ? undefined
          : fault === 'required'
            ? c('required')
            : fault === 'tooShort'
              ? t('tooShort', { count: limits.passwordLengthMin })
              : t(fault),
    };
  };
  // All that the fields can be wrong in is checked above, so a refusal is about the present password.
  const wrongOld = hasStatus(change.error, 400);
  return (
    <form onSubmit={submit} noValidate>
      <Stack mt="md">
        {/* Tells password managers whose password this is. */}
        <input
          type="text"
          name="username"
          autoComplete="username"
          value={username}
          readOnly
          hidden
          aria-hidden
        />
        <PasswordInput
          ref={oldField}
          label={t('oldPassword')}
          autoComplete="current-password"
          {...field('old')}
          {...(wrongOld && { error: t('wrongOld') })}
        />
        <PasswordInput
          label={t('newPassword')}
          description={t('newPasswordHint', { count: limits.passwordLengthMin })}
          autoComplete="new-password"
          maxLength={limits.passwordLengthMax}
          {...field('fresh')}
        />
        <PasswordInput
          label={t('repeatPassword')}
          autoComplete="new-password"
          maxLength={limits.passwordLengthMax}
          {...field('repeated')}
        />
        {!wrongOld && <FailureAlert error={change.error} />}
        {change.isSuccess && (
          <Alert color="teal" role="status" py="xs">
            {t('changed')}
          </Alert>
        )}
        <Group>
          <Button type="submit" loading={change.isPending}>
            {t('changePassword')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
