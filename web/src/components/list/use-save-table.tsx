import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useId, useState } from 'react';
import type { ReadingOptions } from '../../api/read-all.ts';
import { useTexts } from '../../i18n/texts.ts';
import {
  formatFor,
  saveTable,
  type Table,
  type TableFormat,
  xlsxRowsMax,
} from '../../spreadsheets/write-table.ts';
import { useFailureText } from '../failure-text.ts';
import { texts } from './texts.ts';

/** Puts a table together; says how far it is, and ends when it is told to, where that takes several calls. */
export type BuildTable = (
  options: Required<ReadingOptions>,
) => (Table & { readonly missing?: number }) | Promise<Table & { readonly missing?: number }>;

/** Saves a table as a file; tells how far it is, offers to stop, and tells that it is done or why not. */
export function useSaveTable() {
  const t = useTexts(texts);
  const failureText = useFailureText();
  const id = useId();
  const [busy, setBusy] = useState(false);
  /** @param name of the file, without its ending */
  const save = async (name: string, build: BuildTable, wanted: TableFormat) => {
    const stop = new AbortController();
    const reading = (text: string) => ({
      id,
      message: (
        <Group justify="space-between" gap="xs">
          {text}
          <Button variant="default" onClick={() => stop.abort()}>
            {t('cancel')}
          </Button>
        </Group>
      ),
      loading: true,
      withCloseButton: false,
      autoClose: false as const,
    });
    setBusy(true);
    notifications.show(reading(t('loading')));
    try {
      const { missing = 0, ...table } = await build({
        onProgress: (done, total) => {
          if (!stop.signal.aborted) notifications.update(reading(t('savingTable', { done, total })));
        },
        signal: stop.signal,
      });
      stop.signal.throwIfAborted();
      const count = table.rows.length;
      const format = formatFor(wanted, count);
      await saveTable(name, table, format);
      const lines = [
        t('savedTable', { count }),
        ...(format === wanted ? [] : [t('savedAsCsv', { max: xlsxRowsMax })]),
        ...(missing > 0 ? [t('savedNotAll', { count: missing })] : []),
      ];
      notifications.update({
        id,
        message: lines.join(' '),
        loading: false,
        withCloseButton: true,
        color: missing > 0 ? 'orange' : 'teal',
        autoClose: lines.length > 1 ? false : 4_000,
      });
    } catch (error) {
      if (stop.signal.aborted) {
        notifications.hide(id);
        return;
      }
      notifications.update({
        id,
        title: t('saveTableFailed'),
        message: failureText(error),
        loading: false,
        withCloseButton: true,
        color: 'red',
        autoClose: false,
      });
    } finally {
      setBusy(false);
    }
  };
  return { busy, save };
}
