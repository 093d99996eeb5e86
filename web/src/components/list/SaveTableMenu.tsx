import { Button, Menu } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import type { ReadingOptions } from '../../api/read-all.ts';
import { useTexts } from '../../i18n/texts.ts';
import {
  formatFor,
  saveTable,
  type Table,
  type TableFormat,
  xlsxRowsMax,
} from '../../spreadsheets/write-table.ts';
import { texts } from './texts.ts';
import { useReadWithProgress } from './use-read-with-progress.tsx';

export type BuildTable = (options: Required<ReadingOptions>) => Table | Promise<Table>;

/** Saves a table as a file; shows the progress, offers to cancel, and shows the result. */
export function useSaveTable() {
  const t = useTexts(texts);
  const { busy, start } = useReadWithProgress({
    progress: (done, total) => t('savingTable', { done, total }),
    failed: t('saveTableFailed'),
  });
  /** @param name the file's name without its extension */
  const save = (name: string, build: BuildTable, wanted: TableFormat) =>
    start(async (options) => {
      const table = await build(options);
      options.signal.throwIfAborted();
      const count = table.rows.length;
      const format = formatFor(wanted, count);
      await saveTable(name, table, format);
      const message = t('savedTable', { count });
      return format === wanted
        ? { message, color: 'teal', autoClose: 4_000 }
        : { message: `${message} ${t('savedAsCsv', { max: xlsxRowsMax })}`, color: 'teal', autoClose: false };
    });
  return { busy, save };
}

interface SaveTableMenuProps {
  readonly name: string;
  readonly rowCount: number;
  readonly build: BuildTable;
}

export function SaveTableMenu({ name, rowCount, build }: SaveTableMenuProps) {
  const t = useTexts(texts);
  const { busy, save } = useSaveTable();
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload aria-hidden size={16} />} loading={busy}>
          <span className="words-on-wide">{t('export')}</span>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {formatFor('xlsx', rowCount) === 'xlsx' ? (
          <Menu.Item onClick={() => void save(name, build, 'xlsx')}>{t('saveXlsx')}</Menu.Item>
        ) : (
          <Menu.Label maw={280} fw={400}>
            {t('onlyCsv', { max: xlsxRowsMax })}
          </Menu.Label>
        )}
        <Menu.Item onClick={() => void save(name, build, 'csv')}>{t('saveCsv')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
