import { Alert, PasswordInput, type PasswordInputProps, Stack } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { useTexts } from '../i18n/texts.ts';
import { texts } from './texts.ts';

/** A little less than the ten minutes for which the server accepts a confirmation. */
const confirmationMs = 590_000;

interface OwnIdentityFieldProps extends Pick<PasswordInputProps, 'label' | 'description' | 'error'> {
  /** The typed password; null after the person has confirmed in another way. */
  readonly value: string | null;
  readonly onChange: (value: string | null) => void;
  readonly others: (onConfirmed: () => void) => ReactNode;
}

export function OwnIdentityField({ value, onChange, others, ...field }: OwnIdentityFieldProps) {
  const t = useTexts(texts);
  const isConfirmed = value === null;
  useEffect(() => {
    if (!isConfirmed) return;
    const timer = setTimeout(() => onChange(''), confirmationMs);
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
