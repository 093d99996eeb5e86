import { useMediaQuery } from '@mantine/hooks';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import classes from './ImportPage.module.css';
import type { PlannedRow } from './plan-import.ts';
import { texts } from './texts.ts';
import { useProblemText } from './use-problem-text.ts';

/** What will happen to each row; thousands of them, of which only those in sight are drawn. */
export function PlannedRows({ rows }: { readonly rows: readonly PlannedRow[] }) {
  const t = useTexts(texts);
  const onPhone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false });
  const frame = useRef<HTMLElement>(null);
  const height = onPhone ? 62 : 42;
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => height,
    overscan: 12,
  });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section ref={frame} className={classes.rows} aria-label={t('fates')} tabIndex={0} key={String(onPhone)}>
      <table aria-label={t('fates')} aria-rowcount={rows.length + 1}>
        <thead>
          <tr aria-rowindex={1} className={`${classes.row} ${classes.headRow}`}>
            <th scope="col">{t('line')}</th>
            <th scope="col">{t('username')}</th>
            <th scope="col">{t('fieldName')}</th>
            <th scope="col">{t('class')}</th>
            <th scope="col">{t('fate')}</th>
          </tr>
        </thead>
        <tbody style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const row = rows[index];
            return (
              row && (
                <tr
                  key={row.line}
                  aria-rowindex={index + 2}
                  className={classes.row}
                  style={{ height, transform: `translateY(${start}px)` }}
                >
                  <td className={classes.line}>{row.line}</td>
                  <Taken from={row.wide.username} to={row.username} />
                  <td title={row.actualName}>{row.actualName}</td>
                  <Taken from={row.wide.classLabel} to={row.classLabel} />
                  <Fate row={row} />
                </tr>
              )
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

/** What a cell is taken for; where the room is short, what it was gives way. */
function Taken({ from, to }: { readonly from: string | null; readonly to: string }) {
  if (from === null) return <td title={to}>{to}</td>;
  return (
    <td title={`${from} → ${to}`}>
      <span className={classes.taken}>
        <span>{from}</span>
        <b>{to}</b>
      </span>
    </td>
  );
}

function Fate({ row }: { readonly row: PlannedRow }) {
  const problemText = useProblemText();
  const text = problemText(row);
  return (
    <td className={classes.fate} data-kind={row.problem === null ? 'good' : 'bad'} title={text}>
      {text}
    </td>
  );
}
