import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import { IconEyeOff, IconPrinter } from '@tabler/icons-react';
import { CopyButton } from '../../../components/CopyButton.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import type { InitialPassword } from './initial-password.ts';
import classes from './OnePassword.module.css';
import { texts } from './texts.ts';
import { usePrintedSlips } from './use-printed-slips.tsx';

export function OnePassword({ password }: { readonly password: InitialPassword }) {
  const t = useTexts(texts);
  const { slips, failed, print } = usePrintedSlips([password], 'students');
  return (
    <Stack>
      <Paper className={classes.frame ?? ''} p="md">
        <Text size="sm" c="dimmed">
          {password.name} · {password.username}
        </Text>
        <output className={classes.password} aria-label={t('password')}>
          {password.password}
        </output>
      </Paper>
      <Group gap="xs" wrap="nowrap" c="var(--app-minus)">
        <IconEyeOff aria-hidden size={18} className={classes.icon ?? ''} />
        <Text size="sm" fw={600}>
          {t('shownOnce')}
        </Text>
      </Group>
      <Group gap="xs">
        <CopyButton text={password.password} label={t('copyPassword')} />
        <Button variant="default" leftSection={<IconPrinter aria-hidden size={16} />} onClick={print}>
          {t('printSlip')}
        </Button>
      </Group>
      {failed && (
        <Text size="sm" c="red" role="alert">
          {t('printFailed')}
        </Text>
      )}
      {slips}
    </Stack>
  );
}
