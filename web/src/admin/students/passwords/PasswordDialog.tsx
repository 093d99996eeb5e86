import { Button, Group, Modal, Paper, Stack, Text } from '@mantine/core';
import { IconEyeOff, IconPrinter } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { type DialogProps, onlyOwnButtons } from '../../../components/ConfirmDialog.tsx';
import { CopyButton } from '../../../components/CopyButton.tsx';
import { Fault, Hint } from '../../../components/Hint.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import type { InitialPassword } from './initial-password.ts';
import { texts } from './texts.ts';
import { usePrintedSlips } from './use-printed-slips.tsx';

interface PasswordDialogProps extends DialogProps {
  readonly title: string;
  readonly status?: string;
  readonly password: InitialPassword;
  /** The buttons that close the dialog. */
  readonly children: ReactNode;
}

/** Shows a new password. A click outside or Escape must not lose it, because it is shown only once. */
export function PasswordDialog({ opened, onClose, title, status, password, children }: PasswordDialogProps) {
  const t = useTexts(texts);
  const { slips, failed, print } = usePrintedSlips([password], 'students');
  return (
    <Modal opened={opened} onClose={onClose} title={title} {...onlyOwnButtons}>
      <Stack>
        {status !== undefined && (
          <Text role="status" fw={600}>
            {status}
          </Text>
        )}
        <Paper bg="var(--app-accent-soft)" p="md" ta="center">
          <Hint>
            {password.name} · {password.username}
          </Hint>
          <Text
            component="output"
            display="block"
            mt={4}
            ff="monospace"
            fz="1.75rem"
            fw={600}
            lts="0.06em"
            aria-label={t('password')}
            style={{ overflowWrap: 'anywhere', userSelect: 'all' }}
          >
            {password.password}
          </Text>
        </Paper>
        <Group gap="xs" wrap="nowrap" c="var(--app-minus)">
          <IconEyeOff aria-hidden size={18} />
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
        {failed && <Fault>{t('printFailed')}</Fault>}
        {slips}
        <Group justify="flex-end">{children}</Group>
      </Stack>
    </Modal>
  );
}
