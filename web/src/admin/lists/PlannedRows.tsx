import { Paper } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import { useIsPhone } from '../../components/use-is-phone.ts';
import { useTexts } from '../../i18n/texts.ts';
import classes from './Lists.module.css';
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

/** Renders only the visible rows, because there may be thousands. */
export function PlannedRows<Row extends ListRow>({ rows, outcomeOf }: PlannedRowsProps<Row>) {
  const t = useTexts(texts);
  const onPhone = useIsPhone();
  const frame = useRef<HTMLElement>(null);
  // People who are missing in the list have the line 0.
  const hasLines = rows.some(({ line }) => line > 0);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    // Only an estimate: rows with more text are higher.
    estimateSize: () => (onPhone ? 62 : 42),
    overscan: 12,
  });
  return (
    <Paper
      component="section"
      ref={frame}
      className={classes.rows ?? ''}
      withBorder
      aria-label={t('rowOutcomes')}
      // The keyboard must be able to scroll this region.
      tabIndex={0}
      key={String(onPhone)}
    >
      <table data-lines={hasLines || undefined} aria-label={t('rowOutcomes')} aria-rowcount={rows.length + 1}>
        <thead>
          <tr aria-rowindex={1}>
            {hasLines && <th scope="col">{t('line')}</th>}
            <th scope="col">{t('username')}</th>
            <th scope="col">{t('personName')}</th>
            <th scope="col">{t('class')}</th>
            <th scope="col">{t('outcome')}</th>
          </tr>
        </thead>
        <tbody style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const row = rows[index];
            return (
              row && (
                <tr
                  key={row.line || row.username}
                  ref={virtual.measureElement}
                  data-index={index}
                  aria-rowindex={index + 2}
                  style={{ transform: `translateY(${start}px)` }}
                >
                  {hasLines && <td className={classes.line}>{row.line || '–'}</td>}
                  <ReadValueCell from={row.wide.username} to={row.username} />
                  <td title={row.actualName}>{row.actualName}</td>
                  <ReadValueCell
                    className={classes.classLabel}
                    from={row.wide.classLabel}
                    to={row.classLabel}
                  />
                  <OutcomeCell {...outcomeOf(row)} />
                </tr>
              )
            );
          })}
        </tbody>
      </table>
    </Paper>
  );
}

interface ReadValueCellProps {
  readonly className?: string | undefined;
  readonly from: string | null;
  readonly to: string;
}

function ReadValueCell({ className, from, to }: ReadValueCellProps) {
  return (
    <td className={className} title={from === null ? to : `${from} → ${to}`}>
      {from === null ? (
        to
      ) : (
        <span className={classes.readValue}>
          <span>{from}</span>
          <b>{to}</b>
        </span>
      )}
    </td>
  );
}

function OutcomeCell({ text, kind }: RowOutcome) {
  return (
    <td className={classes.outcome} data-kind={kind}>
      {text.split('\n').map((line) => (
        <div key={line}>{line}</div>
      ))}
    </td>
  );
}
