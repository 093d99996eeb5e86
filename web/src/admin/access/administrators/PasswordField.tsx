import { limits } from 'virtual:contract';
import { Button, Group, Input } from '@mantine/core';
import { useId } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import { texts } from './texts.ts';

interface PasswordFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Says that it is too short. */
  readonly checked: boolean;
}

/** A password that is going to be told to someone: readable, typed or generated. */
export function PasswordField({ label, value, onChange, checked }: PasswordFieldProps) {
  const t = useTexts(texts);
  const id = useId();
  const fault =
    checked && !isPasswordUsable(value)
      ? t('passwordTooShort', { count: limits.passwordLengthMin })
      : undefined;
  return (
    <Input.Wrapper
      id={id}
      label={label}
      description={t('firstPasswordHint')}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      error={fault}
    >
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <Input
          id={id}
          flex={1}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
          maxLength={limits.passwordLengthMax}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          error={fault !== undefined}
        />
        <Button variant="default" onClick={() => onChange(generatedPassword())}>
          {t('generate')}
        </Button>
      </Group>
    </Input.Wrapper>
  );
}

/** Whether a password is long enough to be sent. */
export function isPasswordUsable(password: string): boolean {
  return [...password].length >= limits.passwordLengthMin;
}

/** Letters and digits that cannot be taken for each other when they are read out. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';

/** A password to tell someone: twelve characters, about 59 bits. */
export function generatedPassword(): string {
  const made: string[] = [];
  while (made.length < 12) {
    for (const byte of crypto.getRandomValues(new Uint8Array(16))) {
      // Bytes above the last whole multiple would make the first letters likelier.
      const letter = byte < 248 ? alphabet[byte % alphabet.length] : undefined;
      if (letter !== undefined && made.length < 12) made.push(letter);
    }
  }
  return made.join('');
}
