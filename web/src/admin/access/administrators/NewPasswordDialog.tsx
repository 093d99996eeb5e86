import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { type DialogProps, onlyOwnButtons } from '../../../components/ConfirmDialog.tsx';
import { CopyButton } from '../../../components/CopyButton.tsx';
import { Hint } from '../../../components/Hint.tsx';
import { useTexts } from '../../../i18n/texts.ts';
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
    <Modal opened={opened} onClose={onClose} title={title} {...onlyOwnButtons}>
      <Stack>
        <div>
          <Hint mb={4}>{username}</Hint>
          <Text
            component="output"
            display="block"
            p="14px 16px"
            bdrs="md"
            bg="var(--app-accent-soft)"
            ff="monospace"
            fz="1.5rem"
            fw={600}
            ta="center"
            lts="0.06em"
            style={{ overflowWrap: 'anywhere', userSelect: 'all' }}
            aria-label={t('password')}
          >
            {password}
          </Text>
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
