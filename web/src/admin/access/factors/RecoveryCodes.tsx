import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { useMutationOf } from '../../../api/queries.ts';
import { ConfirmDialog } from '../../../components/ConfirmDialog.tsx';
import { CopyButton } from '../../../components/CopyButton.tsx';
import { saveFile } from '../../../components/save-file.ts';
import { useTexts } from '../../../i18n/texts.ts';
import classes from './SecondFactor.module.css';
import { texts } from './texts.ts';

interface RecoveryCodesDialogProps {
  readonly codes: readonly string[] | null;
  readonly onClose: () => void;
}

/** Shows new recovery codes. A stray key must not close them, because they are shown only once. */
export function RecoveryCodesDialog({ codes, onClose }: RecoveryCodesDialogProps) {
  const t = useTexts(texts);
  const text = codes?.join('\n') ?? '';
  const { host } = location;
  const save = () =>
    saveFile(t('fileName', { host }), new Blob([`${host}\n\n${text}\n`], { type: 'text/plain' }));
  return (
    <Modal
      opened={codes !== null}
      onClose={onClose}
      title={t('codesTitle')}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Stack>
        <Text size="sm">{t('codesText')}</Text>
        <ul className={classes.codes} aria-label={t('codesTitle')}>
          {codes?.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
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

/** Creates new recovery codes. The old ones then no longer work. */
export function NewRecoveryCodes({ onCodes }: { readonly onCodes: (codes: readonly string[]) => void }) {
  const t = useTexts(texts);
  const [isAsked, setAsked] = useState(false);
  const create = useMutationOf('createRecoveryCodes', {
    onSuccess: ({ recoveryCodes }) => {
      setAsked(false);
      onCodes(recoveryCodes);
    },
  });
  return (
    <>
      <Button variant="default" size="xs" onClick={() => setAsked(true)}>
        {t('newCodes')}
      </Button>
      <ConfirmDialog
        opened={isAsked}
        onClose={() => setAsked(false)}
        title={t('newCodesTitle')}
        confirmLabel={t('newCodes')}
        onConfirm={() => create.mutate({})}
        mutation={create}
      >
        <Text size="sm">{t('newCodesText')}</Text>
      </ConfirmDialog>
    </>
  );
}
