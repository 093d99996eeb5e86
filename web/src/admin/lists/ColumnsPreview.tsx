import { Alert, Checkbox, Group, Paper, Select, Stack, Text } from '@mantine/core';
import { Hint } from '../../components/Hint.tsx';
import { truncateText } from '../../i18n/letters.ts';
import { useTexts } from '../../i18n/texts.ts';
import type { SheetRow } from '../../spreadsheets/sheet.ts';
import { assignColumn, fieldOfColumn, type ListLayout, splitList } from './columns.ts';
import classes from './Lists.module.css';
import { type ReadList, useReadList } from './read-list.ts';
import { texts } from './texts.ts';

const previewRows = 6;
const previewColumns = 30;

interface ColumnsPreviewProps<Field extends string> {
  readonly list: ReadList;
  readonly layout: ListLayout<Field>;
  /** The fields that can be chosen. */
  readonly labels: Readonly<Partial<Record<Field, string>>>;
  readonly onLayout: (change: Partial<ListLayout<Field>>) => void;
  readonly onList: (list: ReadList) => void;
  /** An additional first column that is not in the list. */
  readonly made?: { readonly label: string; readonly textOf: (line: number) => string } | undefined;
  /** Returns the text that an empty cell takes from the row above. */
  readonly filledOf?: (line: number, column: number) => string | undefined;
}

export function ColumnsPreview<Field extends string>(props: ColumnsPreviewProps<Field>) {
  const { list, layout, onLayout, onList } = props;
  const t = useTexts(texts);
  const { above, people } = splitList(list.rows, layout);
  return (
    <Stack gap="lg">
      <Group justify="space-between">
        <Text fw={600}>{t('rowsFound', { count: people.length, name: list.name ?? t('pastedName') })}</Text>
        <Checkbox
          label={t('hasHeader', { line: list.rows[layout.headerIndex]?.line ?? 1 })}
          checked={layout.hasHeader}
          onChange={(event) =>
            onLayout({ hasHeader: event.currentTarget.checked } as Partial<ListLayout<Field>>)
          }
        />
      </Group>
      <Worksheets list={list} onList={onList} />
      <RowsAboveHeader rows={above} />
      <Preview {...props} />
      {list.isGuess && <Hint>{t('encodingGuessed')}</Hint>}
    </Stack>
  );
}

const lettersMax = 40;

export function RowsAboveHeader({ rows }: { readonly rows: readonly SheetRow[] }) {
  const t = useTexts(texts);
  if (rows.length === 0) return null;
  const named = rows.map(({ line, cells }) => {
    const whole = cells.filter(Boolean).join(' ');
    const text = truncateText(lettersMax, whole);
    return t('rowAbove', { line, text: text === whole ? whole : `${text}…` });
  });
  return <Hint>{t('rowsAbove', { rows: named.join(t('rowsAboveComma')) })}</Hint>;
}

function Worksheets({ list, onList }: Pick<ColumnsPreviewProps<string>, 'list' | 'onList'>) {
  const t = useTexts(texts);
  const { read, reading, failure } = useReadList(onList);
  const { file, worksheets, worksheet } = list;
  if (file === null || worksheets.length < 2) return null;
  return (
    <>
      <Select
        label={t('worksheet')}
        value={worksheet}
        onChange={(chosen) => chosen !== null && read({ file, worksheet: chosen })}
        data={worksheets.map((name, index) => ({ value: index, label: name }))}
        allowDeselect={false}
        disabled={reading}
        maw={320}
      />
      {failure && (
        <Alert color="red" role="alert">
          {failure}
        </Alert>
      )}
    </>
  );
}

function Preview<Field extends string>(props: ColumnsPreviewProps<Field>) {
  const { list, layout, labels, onLayout, made, filledOf } = props;
  const t = useTexts(texts);
  const { mapping, hasHeader, headerIndex } = layout;
  const first = hasHeader ? headerIndex : 0;
  const rows = list.rows.slice(first, first + previewRows);
  const width = Math.min(previewColumns, Math.max(1, ...rows.map(({ cells }) => cells.length)));
  const columns = Array.from({ length: width }, (_, column) => column);
  const fields = Object.keys(labels) as Field[];
  const options = [
    { value: 'none', label: t('fieldNone') },
    ...fields.map((field) => ({ value: String(field), label: labels[field] ?? '' })),
  ];
  const hold = (column: number, chosen: string | null) =>
    onLayout({
      mapping: assignColumn(mapping, column, fields.find((field) => field === chosen) ?? null),
    } as Partial<ListLayout<Field>>);
  return (
    <Paper
      component="section"
      className={classes.preview ?? ''}
      withBorder
      aria-label={t('previewLabel')}
      // The keyboard must be able to scroll this region.
      tabIndex={0}
    >
      <table className="ruled">
        <thead>
          <tr>
            {made && <th scope="col">{made.label}</th>}
            {columns.map((column) => (
              <th key={column} scope="col">
                <Select
                  size="sm"
                  aria-label={t('columnHolds', { n: column + 1 })}
                  value={fieldOfColumn(mapping, column) ?? 'none'}
                  onChange={(chosen) => hold(column, chosen)}
                  data={options}
                  allowDeselect={false}
                />
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="ruled">
          {rows.map(({ line, cells }, index) => (
            <tr key={line} data-header={(hasHeader && index === 0) || undefined}>
              {made && <td data-generated>{made.textOf(line)}</td>}
              {columns.map((column) => {
                const filled = cells[column] ? undefined : filledOf?.(line, column);
                return (
                  <td
                    key={column}
                    data-unused={fieldOfColumn(mapping, column) === null || undefined}
                    data-filled={filled !== undefined || undefined}
                  >
                    {filled ?? cells[column] ?? ''}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </Paper>
  );
}
