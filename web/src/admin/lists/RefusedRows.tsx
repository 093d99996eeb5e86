import { Button, Text } from '@mantine/core';
import { IconAlertTriangle, IconDownload } from '@tabler/icons-react';
import { useTexts } from '../../i18n/texts.ts';
import { saveTable } from '../../spreadsheets/write-table.ts';
import { Notice } from '../students/passwords/Notice.tsx';
import type { ListRow } from './PlannedRows.tsx';
import { texts } from './texts.ts';

interface RefusedRowsProps {
  readonly rows: readonly { readonly row: Omit<ListRow, 'wide'>; readonly reason: string }[];
}

const shownMax = 5;

const byLine = (rows: RefusedRowsProps['rows']) =>
  rows.toSorted((a, b) => (a.row.line || Infinity) - (b.row.line || Infinity));

export function RefusedRows({ rows }: RefusedRowsProps) {
  const t = useTexts(texts);
  if (rows.length === 0) return null;
  return (
    <Notice icon={IconAlertTriangle} tone="attention" title={t('failedRows', { count: rows.length })}>
      <div>
        {byLine(rows)
          .slice(0, shownMax)
          .map(({ row, reason }) => (
            <Text key={row.line || row.username} size="sm">
              {row.line > 0 && t('ofLine', { line: row.line })}
              <b>{row.username || row.actualName}</b> {reason}
            </Text>
          ))}
        {rows.length > shownMax && <Text size="sm">…</Text>}
      </div>
      <SaveRefusedRows rows={rows} />
    </Notice>
  );
}

export function SaveRefusedRows({ rows }: RefusedRowsProps) {
  const t = useTexts(texts);
  const save = () =>
    void saveTable(
      t('failedName'),
      {
        header: [t('line'), t('username'), t('personName'), t('class'), t('reason')],
        rows: byLine(rows).map(({ row, reason }) => [
          row.line || '',
          row.username,
          row.actualName,
          row.classLabel,
          reason,
        ]),
      },
      'xlsx',
    );
  return (
    <Button variant="default" leftSection={<IconDownload aria-hidden size={16} />} onClick={save}>
      {t('downloadFailed')}
    </Button>
  );
}
