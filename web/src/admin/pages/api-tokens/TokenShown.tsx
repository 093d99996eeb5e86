import { Button, Group, Stack, Text } from '@mantine/core';
import { IconEyeOff } from '@tabler/icons-react';
import { CopyButton } from '../../../components/CopyButton.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import classes from './ApiTokens.module.css';
import { pingCommand } from './ping-command.ts';
import { texts } from './texts.ts';

interface TokenShownProps {
  readonly token: string;
  readonly onDone: () => void;
}

/** The plaintext of a credential, which is shown this once, and a line that tries it. */
export function TokenShown({ token, onDone }: TokenShownProps) {
  const t = useTexts(texts);
  const command = pingCommand(location.origin, token);
  return (
    <Stack>
      <Group gap="xs" wrap="nowrap" align="flex-start" c="var(--app-minus)" role="status">
        <IconEyeOff aria-hidden size={20} className={classes.sign ?? ''} />
        <Text size="sm" fw={600}>
          {t('shownOnce')}
        </Text>
      </Group>
      <output className={classes.token} aria-label={t('token')}>
        {token}
      </output>
      <Group gap="xs">
        <CopyButton text={token} label={t('copyToken')} />
      </Group>
      <Text size="sm" c="dimmed">
        {t('treatLikePassword')}
      </Text>
      <div>
        <Text size="sm" fw={500} mb={6}>
          {t('tryIt')}
        </Text>
        <pre className={classes.command}>{command}</pre>
      </div>
      <Group justify="space-between">
        <CopyButton text={command} label={t('copyCommand')} />
        <Button onClick={onDone}>{t('copiedDone')}</Button>
      </Group>
    </Stack>
  );
}
