import { limits } from 'virtual:contract';
import { Alert, Button, Group, PasswordInput, Stack } from '@mantine/core';
import { useRef, useState } from 'react';
import { hasStatus } from '../api/api-failure.ts';
import { FailureAlert } from '../components/FailureAlert.tsx';
import { useForm } from '../components/use-form.ts';
import { useTexts } from '../i18n/texts.ts';
import { faultsOf, type TypedPasswords } from './new-password.ts';
import { passwordTexts } from './password-texts.ts';

interface PasswordFormProps {
  /** Whose password it is. */
  readonly username: string;
  /** The mutation that changes it. */
  readonly change: {
    readonly mutate: (
      input: { readonly body: { readonly oldPassword: string; readonly newPassword: string } },
      then: { readonly onSuccess: () => void; readonly onError: () => void },
    ) => void;
    readonly reset: () => void;
    readonly isPending: boolean;
    readonly isSuccess: boolean;
    readonly error: unknown;
  };
  /** Asks for the new one twice: no one could help who mistyped it. */
  readonly repeats?: boolean;
}

const nothingTyped: TypedPasswords = { old: '', fresh: '', repeated: '' };

/** Changes the own password; who does not know the current one cannot. */
export function PasswordForm({ username, change, repeats = false }: PasswordFormProps) {
  const t = useTexts(passwordTexts);
  const [typed, setTyped] = useState(nothingTyped);
  const oldField = useRef<HTMLInputElement>(null);
  const { old, fresh, repeated } = faultsOf(repeats ? typed : { ...typed, repeated: typed.fresh });
  const sentences = {
    required: t('required'),
    tooShort: t('tooShort', { count: limits.passwordLengthMin }),
    sameAsOld: t('sameAsOld'),
    notTheSame: t('notTheSame'),
  };
  const faults = {
    old: old && sentences[old],
    fresh: fresh && sentences[fresh],
    repeated: repeated && sentences[repeated],
  };
  const { form, shown, restart } = useForm(faults, () =>
    change.mutate(
      { body: { oldPassword: typed.old, newPassword: typed.fresh } },
      {
        onSuccess: () => {
          setTyped(nothingTyped);
          restart();
        },
        onError: () => oldField.current?.focus(),
      },
    ),
  );
  const field = (name: keyof TypedPasswords) => ({
    value: typed[name],
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget;
      change.reset();
      setTyped((before) => ({ ...before, [name]: value }));
    },
    error: shown[name],
  });
  // All that the fields can be wrong in is checked above, so a refusal is about the current password.
  const wrongOld = hasStatus(change.error, 400);
  return (
    <form {...form}>
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
        {repeats && (
          <PasswordInput
            label={t('repeatPassword')}
            autoComplete="new-password"
            maxLength={limits.passwordLengthMax}
            {...field('repeated')}
          />
        )}
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
