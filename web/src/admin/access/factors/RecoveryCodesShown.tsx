import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { CopyButton } from '../../../components/CopyButton.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import classes from './SecondFactor.module.css';
import { texts } from './texts.ts';

interface RecoveryCodesShownProps {
  /** Null: there is nothing to be shown. */
  readonly codes: readonly string[] | null;
  readonly onClose: () => void;
}

/** New recovery codes once; a stray key must not lose them. */
export function RecoveryCodesShown({ codes, onClose }: RecoveryCodesShownProps) {
  const t = useTexts(texts);
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
          <CopyButton text={codes?.join('\n') ?? ''} />
          <Button onClick={onClose}>{t('savedThem')}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
