import { Button, Text } from '@mantine/core';
import { IconAlertTriangle, IconDownload } from '@tabler/icons-react';
import { useTexts } from '../../i18n/texts.ts';
import { type SavedColumn, tableOf } from '../../spreadsheets/csv.ts';
import { saveTable } from '../../spreadsheets/write-table.ts';
import { Notice } from '../students/passwords/Notice.tsx';
import type { ListRow } from './PlannedRows.tsx';
import { texts } from './texts.ts';

interface RefusedRow {
  readonly row: Omit<ListRow, 'wide'>;
  readonly reason: string;
}

const shownMax = 5;

const byLine = (rows: readonly RefusedRow[]) =>
  rows.toSorted((a, b) => (a.row.line || Infinity) - (b.row.line || Infinity));

export function RefusedRows({ rows }: { readonly rows: readonly RefusedRow[] }) {
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

export function SaveRefusedRows({ rows }: { readonly rows: readonly RefusedRow[] }) {
  const t = useTexts(texts);
  const columns: readonly SavedColumn<RefusedRow>[] = [
    [t('line'), ({ row }) => row.line || ''],
    [t('username'), ({ row }) => row.username],
    [t('personName'), ({ row }) => row.actualName],
    [t('class'), ({ row }) => row.classLabel],
    [t('reason'), ({ reason }) => reason],
  ];
  const save = () => void saveTable(t('failedName'), tableOf(columns, byLine(rows)), 'xlsx');
  return (
    <Button variant="default" leftSection={<IconDownload aria-hidden size={16} />} onClick={save}>
      {t('downloadFailed')}
    </Button>
  );
}
