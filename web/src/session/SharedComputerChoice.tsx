import { Box, Group, Text } from '@mantine/core';
import { useId } from 'react';
import { useTexts } from '../i18n/texts.ts';
import { texts } from './texts.ts';

interface SharedComputerChoiceProps {
  readonly isShared: boolean;
  readonly onChange: (isShared: boolean) => void;
}

/** Uses the browser's checkbox, because the library's is larger than all other code of the sign-in. */
export function SharedComputerChoice({ isShared, onChange }: SharedComputerChoiceProps) {
  const t = useTexts(texts);
  const id = useId();
  return (
    <Group component="label" wrap="nowrap" align="flex-start" gap="sm" mih={44} fz="sm">
      <Box
        component="input"
        type="checkbox"
        w={20}
        h={20}
        m="1px 0 0"
        style={{ accentColor: 'var(--app-accent)' }}
        checked={isShared}
        onChange={(event) => onChange(event.currentTarget.checked)}
        aria-labelledby={id}
        aria-describedby={`${id}-hint`}
      />
      <span>
        <span id={id}>{t('sharedComputer')}</span>
        <Text span display="block" id={`${id}-hint`} mt={2} fz="xs" lh={1.45} c="dimmed">
          {t('sharedComputerHint')}
        </Text>
      </span>
    </Group>
  );
}
