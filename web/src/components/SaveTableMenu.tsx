import { Button, Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconDownload } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { commonTexts } from '../i18n/common-texts.ts';
import { useTexts } from '../i18n/texts.ts';
import { saveTable, type Table, type TableFormat } from '../spreadsheets/write-table.ts';
import { useFailureText } from './failure-text.ts';
import { texts } from './texts.ts';

interface SaveTableMenuProps {
  /** Of the file, without its ending. */
  readonly name: string;
  /** Puts the table together; says how far it is where that takes several calls. */
  readonly build: (onProgress: (done: number, total: number) => void) => Table | Promise<Table>;
}

/** Saves a table as a file, XLSX or CSV; tells how far it is, and that it is done or why not. */
export function SaveTableMenu({ name, build }: SaveTableMenuProps) {
  const t = useTexts(texts);
  const c = useTexts(commonTexts);
  const failureText = useFailureText();
  const id = useId();
  const [busy, setBusy] = useState(false);
  const save = async (format: TableFormat) => {
    setBusy(true);
    const shared = { id, withCloseButton: true };
    notifications.show({ ...shared, message: c('loading'), loading: true, autoClose: false });
    try {
      const table = await build((done, total) =>
        notifications.update({
          ...shared,
          message: t('savingTable', { done, total }),
          loading: true,
          autoClose: false,
        }),
      );
      await saveTable(name, table, format);
      const message = t('savedTable', { count: table.rows.length });
      notifications.update({ ...shared, message, loading: false, color: 'teal', autoClose: 4_000 });
    } catch (error) {
      notifications.update({
        ...shared,
        title: t('saveTableFailed'),
        message: failureText(error),
        loading: false,
        color: 'red',
        autoClose: false,
      });
    } finally {
      setBusy(false);
    }
  };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload aria-hidden size={16} />} loading={busy}>
          <span className="words-on-wide">{c('export')}</span>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => void save('xlsx')}>{t('saveXlsx')}</Menu.Item>
        <Menu.Item onClick={() => void save('csv')}>{t('saveCsv')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
