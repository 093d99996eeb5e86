import { Box, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import { DataTable } from '../../components/list/DataTable.tsx';
import { type Column, knownRows } from '../../components/list/data-table-types.ts';
import { useTexts } from '../../i18n/texts.ts';
import { texts } from './texts.ts';

export interface ListRow {
  /** Line in the file or the pasted list, from 1; 0 for a person who is not in the list. */
  readonly line: number;
  readonly username: string;
  readonly actualName: string;
  /** Grade and class of the school; if they are unknown there, as written in the list. */
  readonly classLabel: string;
  /** The list's spelling of full-width texts, because they were read as half-width; null if there are none. */
  readonly wide: { readonly username: string | null; readonly classLabel: string | null };
}

export interface RowOutcome {
  readonly text: string;
  readonly kind: 'good' | 'changed' | 'bad' | 'none';
}

interface PlannedRowsProps<Row> {
  readonly rows: readonly Row[];
  readonly outcomeOf: (row: Row) => RowOutcome;
}

const pageSize = 100;

export function PlannedRows<Row extends ListRow>({ rows, outcomeOf }: PlannedRowsProps<Row>) {
  const t = useTexts(texts);
  const [page, setPage] = useState(1);
  const frame = useRef<HTMLElement>(null);
  const lineColumn: Column<Row> = { header: t('line'), phone: 'aside', cell: ({ line }) => line || '–' };
  const columns: readonly Column<Row>[] = [
    // People who are missing in the list have the line 0.
    ...(rows.some(({ line }) => line > 0) ? [lineColumn] : []),
    {
      header: t('username'),
      phone: 'title',
      cell: ({ wide, username }) => <ReadValue from={wide.username} to={username} />,
    },
    { header: t('personName'), cell: ({ actualName }) => actualName },
    {
      header: t('class'),
      cell: ({ wide, classLabel }) => <ReadValue from={wide.classLabel} to={classLabel} />,
    },
    { header: t('outcome'), width: '36%', cell: (row) => <Outcome {...outcomeOf(row)} /> },
  ];
  const shown = rows.slice((page - 1) * pageSize, page * pageSize);
  return (
    <Box
      component="section"
      ref={frame}
      mah="min(60dvh, 560px)"
      style={{ overflow: 'auto' }}
      aria-label={t('rowOutcomes')}
      // The keyboard must be able to scroll this region.
      tabIndex={0}
    >
      <DataTable<Row>
        label={t('rowOutcomes')}
        columns={columns}
        query={{ ...knownRows(shown), data: { rows: shown, total: rows.length } }}
        rowKey={({ line, username }) => line || username}
        empty={null}
        page={page}
        pageSize={pageSize}
        onPage={(next) => {
          setPage(next);
          frame.current?.scrollTo(0, 0);
        }}
      />
    </Box>
  );
}

function ReadValue({ from, to }: { readonly from: string | null; readonly to: string }) {
  if (from === null) return to;
  return (
    <>
      <Text span inherit c="dimmed">{`${from} → `}</Text>
      <b>{to}</b>
    </>
  );
}

const looks = {
  good: { c: 'var(--app-plus)' },
  changed: { c: 'var(--app-plus)' },
  bad: { c: 'var(--app-minus)', fw: 600 },
  none: {},
} as const;

const Outcome = ({ text, kind }: RowOutcome) =>
  text.split('\n').map((line) => (
    <Text key={line} inherit {...looks[kind]}>
      {line}
    </Text>
  ));
