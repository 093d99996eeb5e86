import { Button, Group, Text } from '@mantine/core';
import { IconCheck, IconDownload, IconEyeOff, IconPrinter } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { Fault } from '../../../components/Hint.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { saveTable, type TableFormat } from '../../../spreadsheets/write-table.ts';
import { type InitialPassword, passwordTable, type SlipRecipients } from './initial-password.ts';
import { Notice } from './Notice.tsx';
import { texts } from './texts.ts';
import { usePrintedSlips } from './use-printed-slips.tsx';

interface ManyPasswordsProps {
  readonly whose?: SlipRecipients;
  readonly passwords: readonly InitialPassword[];
  readonly saved: boolean;
  /** Tells how long the passwords can be shown again; undefined if they are shown only now. */
  readonly hint?: string;
  readonly onSaved: (count: number) => void;
}

export function ManyPasswords({ whose = 'students', passwords, saved, hint, onSaved }: ManyPasswordsProps) {
  const t = useTexts(texts);
  const { slips, count, print, failed: printFailed } = usePrintedSlips(passwords, whose);
  const { mutate: save, isError: failed } = useMutation({
    mutationFn: (format: TableFormat) => {
      const table = passwordTable([t('class'), t('columnName'), t('username'), t('password')], passwords);
      return saveTable(t('fileName'), table, format);
    },
    onSuccess: () => onSaved(passwords.length),
  });
  return (
    <Notice
      icon={saved ? IconCheck : IconEyeOff}
      tone={saved ? 'good' : 'attention'}
      title={
        saved
          ? t('savedTitle')
          : t(whose === 'staff' ? 'saveNowStaff' : 'saveNow', { count: passwords.length })
      }
    >
      <Text size="sm" aria-live="polite">
        {saved ? t('savedHint') : (hint ?? t('keepThem'))}
      </Text>
      <Group gap="xs">
        <Button leftSection={<IconPrinter aria-hidden size={16} />} onClick={print}>
          {t('printSlips')}
        </Button>
        {(['xlsx', 'csv'] as const).map((format) => (
          <Button
            key={format}
            variant="default"
            leftSection={<IconDownload aria-hidden size={16} />}
            onClick={() => save(format)}
          >
            {t(format === 'xlsx' ? 'downloadXlsx' : 'downloadCsv')}
          </Button>
        ))}
      </Group>
      {(failed || printFailed) && <Fault>{t(failed ? 'downloadFailed' : 'printFailed')}</Fault>}
      {/* Asks whether printing succeeded, because browsers do not report a cancelled print. */}
      {count !== null && !saved && (
        <Group gap="xs" role="status">
          <Text size="sm">{t('didPrint')}</Text>
          <Button size="compact-sm" variant="light" onClick={() => onSaved(count)}>
            {t('havePrinted')}
          </Button>
        </Group>
      )}
      {slips}
    </Notice>
  );
}
