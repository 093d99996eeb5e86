import { Alert, PasswordInput, type PasswordInputProps, Stack } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { useTexts } from '../i18n/texts.ts';
import { texts } from './texts.ts';

/** A little less than the server's ten minutes; then the password is required again. */
const confirmedMs = 590_000;

interface OwnProofProps extends Pick<PasswordInputProps, 'label' | 'description' | 'error'> {
  /** The password; null once the person has confirmed in another way. */
  readonly value: string | null;
  readonly onChange: (value: string | null) => void;
  readonly others: (onConfirmed: () => void) => ReactNode;
}

/** Asks for the administrator's own password, or for another proof instead. */
export function OwnProof({ value, onChange, others, ...field }: OwnProofProps) {
  const t = useTexts(texts);
  const isConfirmed = value === null;
  useEffect(() => {
    if (!isConfirmed) return;
    const timer = setTimeout(() => onChange(''), confirmedMs);
    return () => clearTimeout(timer);
  }, [isConfirmed, onChange]);
  if (value === null) {
    return (
      <Alert role="status" py="xs">
        {t('identityConfirmed')}
      </Alert>
    );
  }
  return (
    <Stack gap="xs">
      <PasswordInput
        {...field}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        autoComplete="current-password"
      />
      {others(() => onChange(null))}
    </Stack>
  );
}
