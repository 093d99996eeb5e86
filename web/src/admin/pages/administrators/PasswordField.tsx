import { limits } from 'virtual:contract';
import { Button, Group, TextInput } from '@mantine/core';
import { useTexts } from '../../../i18n/texts.ts';
import { generatedPassword } from './generated-password.ts';
import { texts } from './texts.ts';

interface PasswordFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Says that it is too short. */
  readonly checked: boolean;
}

/** A password that is going to be told to somebody: readable, typed or generated. */
export function PasswordField({ label, value, onChange, checked }: PasswordFieldProps) {
  const t = useTexts(texts);
  return (
    <Group align="flex-start" gap="xs" wrap="nowrap">
      <TextInput
        flex={1}
        label={label}
        description={t('firstPasswordHint')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        maxLength={limits.passwordLengthMax}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        error={
          checked && !isPasswordUsable(value) && t('passwordTooShort', { count: limits.passwordLengthMin })
        }
      />
      <Button variant="default" mt={24} onClick={() => onChange(generatedPassword())}>
        {t('generate')}
      </Button>
    </Group>
  );
}

/** Whether a password is long enough to be sent. */
export function isPasswordUsable(password: string): boolean {
  return [...password].length >= limits.passwordLengthMin;
}
