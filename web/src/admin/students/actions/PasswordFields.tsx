import { limits } from 'virtual:contract';
import { Input, SegmentedControl, Stack, TextInput } from '@mantine/core';
import { useTexts } from '../../../i18n/texts.ts';
import { texts } from './texts.ts';

interface PasswordFieldsProps {
  /** Null: the server generates one. */
  readonly value: string | null;
  readonly onChange: (value: string | null) => void;
  readonly label: string;
  readonly generatedLabel: string;
  readonly typedLabel: string;
  readonly error?: string | false | undefined;
}

/** Whether first passwords are generated or typed. It is shown while typed: it is going to be told to someone. */
export function PasswordFields(props: PasswordFieldsProps) {
  const { value, onChange, label, generatedLabel, typedLabel, error } = props;
  const t = useTexts(texts);
  return (
    <Stack gap="xs">
      <Input.Wrapper label={label} labelElement="div">
        <SegmentedControl
          fullWidth
          aria-label={label}
          value={value === null ? 'generated' : 'typed'}
          onChange={(mode) => onChange(mode === 'generated' ? null : '')}
          data={[
            { value: 'generated', label: generatedLabel },
            { value: 'typed', label: typedLabel },
          ]}
        />
      </Input.Wrapper>
      {value !== null && (
        <TextInput
          aria-label={typedLabel}
          description={t('passwordHint', { count: limits.passwordLengthMin })}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
          maxLength={limits.passwordLengthMax}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          error={error}
        />
      )}
    </Stack>
  );
}

/** True for a password that may be sent: none, or one that is long enough. */
export function isPasswordUsable(value: string | null): boolean {
  return value === null || [...value].length >= limits.passwordLengthMin;
}
