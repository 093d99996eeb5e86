import { Hint } from '../../components/Hint.tsx';
import { truncateText } from '../../i18n/letters.ts';
import { useTexts } from '../../i18n/texts.ts';
import type { SheetRow } from '../../spreadsheets/sheet.ts';
import { texts } from './texts.ts';

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
