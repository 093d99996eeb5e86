import { Alert } from '@mantine/core';
import { Hint } from '../../../components/Hint.tsx';
import { useLanguage, useTexts } from '../../../i18n/texts.ts';
import type { ReadList } from '../../lists/read-list.ts';
import { texts as listTexts } from '../../lists/texts.ts';
import { mayBeRounded, type PlannedRow } from './plan-import.ts';
import { translatePattern } from './propose-usernames.ts';
import type { StudentMapping } from './student-columns.ts';
import { texts } from './texts.ts';

interface ListNotesProps {
  readonly list: ReadList | null;
  readonly mapping: StudentMapping;
  readonly plan: readonly PlannedRow[];
}

export function ListNotes({ list, mapping, plan }: ListNotesProps) {
  const t = useTexts(texts);
  const filledCount = plan.filter(({ isFilled }) => isFilled).length;
  const hiddenCount = list?.hiddenColumns ?? 0;
  const isUncalculated = Object.values(mapping).some((column) => list?.uncalculated.has(column ?? -1));
  return (
    <>
      <Warning color="yellow">{isUncalculated && t('uncalculated')}</Warning>
      <Note>{filledCount > 0 && t('filled', { count: filledCount })}</Note>
      <Note>{hiddenCount > 0 && t('hiddenColumns', { count: hiddenCount })}</Note>
    </>
  );
}

interface WarningsProps extends ListNotesProps {
  /** The username pattern; null if the list has usernames. */
  readonly pattern: string | null;
}

const isWide = ({ wide }: PlannedRow) => wide.username !== null || wide.classLabel !== null;

export function Warnings({ list, mapping, plan, pattern }: WarningsProps) {
  const t = useTexts(texts);
  const l = useTexts(listTexts);
  const language = useLanguage() === 'en' ? 'en' : 'zh';
  const countOf = (is: (row: PlannedRow) => boolean) => plan.filter(is).length;
  const knownByName = countOf(({ named }) => named === 'known');
  const namesakes = countOf(({ namesakeIn }) => namesakeIn !== null);
  const rounded = countOf(({ problem }) => problem === 'numberRounded');
  const short = countOf(({ problem }) => problem === 'numberShort');
  const zerosMayLack = list?.paddedColumns.has(mapping.username ?? -1);
  return (
    <>
      {pattern !== null && (
        <Hint role="status">
          {t('usernamesMade', { pattern: translatePattern(pattern, language) })}
          {knownByName > 0 && ` ${t('foundByName', { count: knownByName })}`}
        </Hint>
      )}
      <Warning color="yellow">{namesakes > 0 && t('namesakes', { count: namesakes })}</Warning>
      <Warning color="yellow">{list?.isGuess && l('encodingGuessed')}</Warning>
      <Warning color="yellow">{zerosMayLack && t('zerosMayLack')}</Warning>
      <Warning color="red">{rounded > 0 && t('numbersRounded', { count: rounded })}</Warning>
      <Warning color="red">{short > 0 && t('numbersShort', { count: short })}</Warning>
      <Warning color="yellow">{mayBeRounded(plan) && t('mayBeRounded')}</Warning>
      <Note>{plan.some(isWide) && t('wideText')}</Note>
    </>
  );
}

interface NoteProps {
  readonly children: string | false | undefined;
}

const Note = ({ children }: NoteProps) => children && <Hint role="status">{children}</Hint>;

const Warning = ({ color, children }: NoteProps & { readonly color: 'yellow' | 'red' }) =>
  children && (
    <Alert color={color} role="status">
      {children}
    </Alert>
  );
