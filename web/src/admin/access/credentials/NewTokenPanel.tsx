import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconEyeOff } from '@tabler/icons-react';
import { CopyButton } from '../../../components/CopyButton.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import classes from './Credentials.module.css';
import { pingCommand } from './ping-command.ts';
import { texts } from './texts.ts';

interface NewTokenPanelProps {
  readonly token: string;
  readonly onDone: () => void;
}

export function NewTokenPanel({ token, onDone }: NewTokenPanelProps) {
  const t = useTexts(texts);
  const command = pingCommand(location.origin, token);
  return (
    <Stack gap="lg">
      <Alert
        color="minus"
        role="status"
        icon={<IconEyeOff aria-hidden size={20} />}
        title={t('shownOnce')}
        className={classes.shownOnce ?? ''}
      >
        {t('treatLikePassword')}
      </Alert>
      <div className={classes.copied}>
        <output className={classes.token} aria-label={t('token')}>
          {token}
        </output>
        <CopyButton text={token} label={t('copyToken')} />
      </div>
      <div>
        <Text size="sm" fw={600} mb={6}>
          {t('tryIt')}
        </Text>
        <div className={classes.copied}>
          <pre className={classes.command}>{command}</pre>
          <CopyButton text={command} label={t('copyCommand')} />
        </div>
      </div>
      <Group justify="flex-end">
        <Button onClick={onDone}>{t('copiedDone')}</Button>
      </Group>
    </Stack>
  );
}
