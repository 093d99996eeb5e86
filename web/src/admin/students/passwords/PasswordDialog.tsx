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

interface NewPasswordDialogProps extends DialogProps {
  readonly title: string;
  readonly status?: string;
  readonly account: string;
  readonly password: string;
  /** Content beside the button that copies the password. */
  readonly slip?: ReactNode;
  readonly children: ReactNode;
}

/** Shows a new password. A click outside or Escape must not lose it, because it is shown only once. */
export function NewPasswordDialog(props: NewPasswordDialogProps) {
  const { opened, onClose, title, status, account, password, slip, children } = props;
  const t = useTexts(texts);
  return (
    <Modal opened={opened} onClose={onClose} title={title} {...onlyOwnButtons}>
      <Stack>
        {status !== undefined && (
          <Text role="status" fw={600}>
            {status}
          </Text>
        )}
        <Paper bg="var(--app-accent-soft)" p="md" ta="center">
          <Hint>{account}</Hint>
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
            {password}
          </Text>
        </Paper>
        <Group gap="xs" wrap="nowrap" c="var(--app-minus)">
          <IconEyeOff aria-hidden size={18} />
          <Text size="sm" fw={600}>
            {t('shownOnce')}
          </Text>
        </Group>
        <Group gap="xs">
          <CopyButton text={password} label={t('copyPassword')} />
          {slip}
        </Group>
        <Group justify="flex-end">{children}</Group>
      </Stack>
    </Modal>
  );
}

interface StudentPasswordDialogProps extends Omit<NewPasswordDialogProps, 'account' | 'password' | 'slip'> {
  readonly of: InitialPassword;
}

export function StudentPasswordDialog({ of, ...dialog }: StudentPasswordDialogProps) {
  const t = useTexts(texts);
  const { slips, failed, print } = usePrintedSlips([of], 'students');
  const slip = (
    <>
      <Button variant="default" leftSection={<IconPrinter aria-hidden size={16} />} onClick={print}>
        {t('printSlip')}
      </Button>
      {failed && <Fault>{t('printFailed')}</Fault>}
      {slips}
    </>
  );
  return (
    <NewPasswordDialog
      {...dialog}
      account={`${of.name} · ${of.username}`}
      password={of.password}
      slip={slip}
    />
  );
}
