import { limits } from 'virtual:contract';
import { Alert, Box, Button, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { ApiFailure, hasStatus } from '../api/api-failure.ts';
import { FailureAlert } from '../components/FailureAlert.tsx';
import { useForm } from '../components/use-form.ts';
import { useTexts } from '../i18n/texts.ts';
import { passwordErrorsOf, type Strength, strengthOf, type TypedPasswords } from './password-rules.ts';
import { passwordTexts } from './password-texts.ts';

export interface PasswordChange {
  mutate(
    input: {
      readonly body: {
        readonly oldPassword?: string;
        readonly newPassword: string;
        readonly strict?: boolean | undefined;
      };
    },
    then: { readonly onSuccess: () => void; readonly onError: (error: Error) => void },
  ): void;
  readonly reset: () => void;
  readonly isPending: boolean;
  readonly isSuccess: boolean;
  readonly error: unknown;
}

interface PasswordFormProps {
  readonly as: 'admin' | 'student';
  readonly username: string;
  readonly own: readonly string[];
  readonly change: PasswordChange;
  /** The current password; null if none is needed, right after a sign-in without one; undefined to ask for it. */
  readonly given?: string | null | undefined;
  /** Asks for the new password twice, for accounts whose password nobody else can reset. */
  readonly repeats?: boolean;
  /** True when the new password replaces one that somebody else issued. */
  readonly isFirst?: boolean;
}

const emptyPasswords: TypedPasswords = { old: '', fresh: '', repeated: '' };

export function PasswordForm(props: PasswordFormProps) {
  const { as, username, own, change, given, repeats = false, isFirst = false } = props;
  const t = useTexts(passwordTexts);
  const lengthMin = as === 'admin' ? limits.ownPasswordLengthMin : limits.passwordLengthMin;
  const [typed, setTyped] = useState({ ...emptyPasswords, old: given ?? '' });
  // Becomes false when the server refuses the known password, for example because it was reset meanwhile.
  const [isKnown, setKnown] = useState(given !== undefined);
  const isProved = isKnown && given === null;
  const { old, fresh, repeated } = passwordErrorsOf(
    repeats ? typed : { ...typed, repeated: typed.fresh },
    lengthMin,
  );
  const faults = {
    old: old && !isProved && t(old),
    fresh: fresh && t(fresh, { count: lengthMin }),
    repeated: repeated && t(repeated),
  };
  const { form, shown, restart } = useForm(faults, () =>
    change.mutate(
      { body: { ...(!isProved && { oldPassword: typed.old }), newPassword: typed.fresh, strict: true } },
      {
        onSuccess: () => {
          setTyped(emptyPasswords);
          restart();
        },
        onError: (error) => {
          if (!isWrongCurrentPassword(error)) return;
          flushSync(() => setKnown(false));
          document.getElementById(oldId)?.focus();
        },
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
  const wrongOld = isWrongCurrentPassword(change.error);
  const weakness = weaknessOf(change.error);
  return (
    <form {...form}>
      <Stack mt={isFirst ? 0 : 'md'}>
        {/* Tells password managers which account this password belongs to. */}
        <input
          type="text"
          name="username"
          autoComplete="username"
          value={username}
          readOnly
          hidden
          aria-hidden
        />
        {!isKnown && (
          <PasswordInput
            id={oldId}
            label={t(
              !isFirst ? 'oldPassword' : as === 'admin' ? 'givenPasswordAdmin' : 'givenPasswordStudent',
            )}
            autoComplete="current-password"
            {...field('old')}
            {...(wrongOld && { error: t(given === null && typed.old === '' ? 'nowNeeded' : 'wrongOld') })}
          />
        )}
        <PasswordInput
          label={t('newPassword')}
          description={t('newPasswordHint', { count: lengthMin })}
          autoComplete="new-password"
          maxLength={limits.passwordLengthMax}
          {...field('fresh')}
          {...(weakness && { error: t(weakness) })}
        />
        <StrengthMeter password={typed.fresh} own={[username, ...own]} lengthMin={lengthMin} />
        {repeats && (
          <PasswordInput
            label={t('repeatPassword')}
            autoComplete="new-password"
            maxLength={limits.passwordLengthMax}
            {...field('repeated')}
          />
        )}
        {!wrongOld && !weakness && <FailureAlert error={change.error} />}
        {change.isSuccess && !isFirst && (
          <Alert color="teal" role="status" py="xs">
            {t('changed')}
          </Alert>
        )}
        {isFirst ? (
          <Button type="submit" size="md" fullWidth loading={change.isPending}>
            {t('saveAndGo')}
          </Button>
        ) : (
          <Group>
            <Button type="submit" loading={change.isPending}>
              {t('changePassword')}
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  );
}

const oldId = 'current-password';

/** The form checks all fields before it sends them, so status 400 otherwise means a wrong current password. */
const isWrongCurrentPassword = (error: unknown) => hasStatus(error, 400) && weaknessOf(error) === null;

function weaknessOf(error: unknown) {
  const reason = error instanceof ApiFailure ? error.reason : null;
  return reason?.startsWith('password') && reason !== 'passwordEnded'
    ? (reason as Exclude<Extract<typeof reason, `password${string}`>, 'passwordEnded'>)
    : null;
}

interface StrengthMeterProps {
  readonly password: string;
  /** Words that another person would try first: username, name, school. */
  readonly own: readonly string[];
  readonly lengthMin: number;
}

const words = ['strength0', 'strength1', 'strength2', 'strength3'] as const;
const colors = [
  'var(--app-minus)',
  'var(--mantine-color-yellow-6)',
  'var(--app-accent)',
  'var(--app-accent)',
];

function StrengthMeter({ password, own, lengthMin }: StrengthMeterProps) {
  const t = useTexts(passwordTexts);
  const isTooShort = [...password].length < lengthMin;
  // A password that is too short is shown as weak, because the form refuses it.
  const strength: Strength | null =
    password === '' ? null : isTooShort ? { level: 0, tip: null } : strengthOf(password, own);
  const level = strength?.level ?? -1;
  return (
    <Box mt="-xs">
      <Group grow gap={4} aria-hidden>
        {words.map((word, i) => (
          <Box key={word} h={5} bdrs={3} bg={(i <= level && colors[level]) || 'var(--app-line)'} />
        ))}
      </Group>
      <Text mt={6} mih="1.5em" fz="xs" lh={1.5} c="dimmed" role="status">
        {strength && (
          <>
            <Text span inherit fw={700} c="var(--mantine-color-text)">
              {t(words[strength.level])}
            </Text>
            {isTooShort ? (
              <> {t('tooShort', { count: lengthMin })}</>
            ) : (
              strength.tip && <> {t(strength.tip)}</>
            )}
          </>
        )}
      </Text>
    </Box>
  );
}
