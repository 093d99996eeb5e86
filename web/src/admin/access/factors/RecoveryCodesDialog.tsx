import { Button, Group, Modal, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { type DialogProps, onlyOwnButtons } from '../../../components/ConfirmDialog.tsx';
import { CopyButton } from '../../../components/CopyButton.tsx';
import { saveFile } from '../../../components/save-file.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { texts } from './texts.ts';

interface RecoveryCodesDialogProps extends DialogProps {
  readonly codes: readonly string[];
}

/** Shows new recovery codes. A stray key must not close them, because they are shown only once. */
export function RecoveryCodesDialog({ codes, opened, onClose }: RecoveryCodesDialogProps) {
  const t = useTexts(texts);
  const text = codes.join('\n');
  const { host } = location;
  const save = () =>
    saveFile(t('fileName', { host }), new Blob([`${host}\n\n${text}\n`], { type: 'text/plain' }));
  return (
    <Modal opened={opened} onClose={onClose} title={t('codesTitle')} {...onlyOwnButtons}>
      <Stack>
        <Text size="sm">{t('codesText')}</Text>
        <SimpleGrid
          component="ul"
          minColWidth="190px"
          spacing="md"
          verticalSpacing={8}
          m={0}
          px="md"
          py={14}
          bdrs="md"
          bg="var(--app-background)"
          ff="monospace"
          style={{ listStyle: 'none' }}
          aria-label={t('codesTitle')}
        >
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </SimpleGrid>
        <Group justify="space-between">
          <Group gap="xs">
            <CopyButton text={text} />
            <Button variant="default" leftSection={<IconDownload aria-hidden size={16} />} onClick={save}>
              {t('asFile')}
            </Button>
          </Group>
          <Button onClick={onClose}>{t('savedThem')}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
