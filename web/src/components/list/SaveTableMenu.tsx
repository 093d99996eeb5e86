import { Button, Menu } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useTexts } from '../../i18n/texts.ts';
import { formatFor, xlsxRowsMax } from '../../spreadsheets/write-table.ts';
import { texts } from './texts.ts';
import { type BuildTable, useSaveTable } from './use-save-table.tsx';

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
