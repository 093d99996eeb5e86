import { limits } from 'virtual:contract';
import { TextInput, type TextInputProps } from '@mantine/core';
import { commonTexts } from '../i18n/common-texts.ts';
import { useTexts } from '../i18n/texts.ts';

interface UsernameInputProps extends Omit<TextInputProps, 'onChange'> {
  readonly onChange: (username: string) => void;
}

export function UsernameInput({ onChange, ...props }: UsernameInputProps) {
  const c = useTexts(commonTexts);
  return (
    <TextInput
      label={c('username')}
      onChange={(event) => onChange(event.currentTarget.value)}
      maxLength={limits.usernameLengthMax}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      {...props}
    />
  );
}
