import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { DialogProps } from '../../../components/ConfirmDialog.tsx';
import { CopyButton } from '../../../components/CopyButton.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import classes from './AdministratorsPage.module.css';
import { texts } from './texts.ts';

interface NewPasswordDialogProps extends DialogProps {
  readonly title: string;
  readonly username: string;
  readonly password: string;
}

/** Shows a new password. A stray key must not close it, because the password is shown only once. */
export function NewPasswordDialog({ opened, title, username, password, onClose }: NewPasswordDialogProps) {
  const t = useTexts(texts);
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={title}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Stack>
        <div>
          <Text size="sm" c="dimmed" mb={4}>
            {username}
          </Text>
          <output className={classes.password} aria-label={t('password')}>
            {password}
          </output>
        </div>
        <Text size="sm" fw={600} c="var(--app-minus)" role="status">
          {t('passwordShown')}
        </Text>
        <Group justify="space-between">
          <CopyButton text={password} label={t('copyPassword')} />
          <Button onClick={onClose}>{t('done')}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
