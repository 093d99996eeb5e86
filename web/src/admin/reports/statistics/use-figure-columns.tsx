import type { RankedStudent } from '@classledger/contract';
import type { Column } from '../../../components/list/data-table-types.ts';
import type { PrintedColumn } from '../../../components/print/PrintedTable.tsx';
import { ScoreText } from '../../../components/ScoreText.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { useTexts } from '../../../i18n/texts.ts';
import type { Figure } from '../figures/figures.ts';
import { texts } from './texts.ts';

export const rankingFigures: readonly Figure<RankedStudent>[] = [
  { key: 'total', as: 'number', value: (row) => row.totalScore },
  { key: 'recent', as: 'signed', value: (row) => row.recentScore },
  { key: 'before', as: 'signed', value: (row) => row.previousScore, isMinor: true },
  { key: 'change', as: 'signed', value: (row) => row.recentScore - row.previousScore },
];

export function useFigureColumns() {
  const t = useTexts(texts);
  const format = useFormat();
  const shown = <Row,>(figures: readonly Figure<Row>[]): Column<Row>[] =>
    figures.map(({ key, as, value, isMinor }) => ({
      key,
      header: t(`column_${key}`),
      align: 'end',
      ...(isMinor && { phone: 'hidden' }),
      cell: (row) =>
        as === 'signed' && !isMinor ? <ScoreText value={value(row)} /> : format[as](value(row)),
    }));
  const printed = <Row,>(figures: readonly Figure<Row>[]): PrintedColumn<Row>[] =>
    figures.map(({ key, as, value }) => ({
      header: t(`column_${key}`),
      align: 'end',
      cell: (row) => format[as](value(row)),
    }));
  return { shown, printed };
}
