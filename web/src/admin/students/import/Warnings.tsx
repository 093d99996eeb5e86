import { Alert, Text } from '@mantine/core';
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

/** Shows what the list contains beside the rows. */
export function ListNotes({ list, mapping, plan }: ListNotesProps) {
  const t = useTexts(texts);
  const filledCount = plan.filter(({ isFilled }) => isFilled).length;
  const isUncalculated = Object.values(mapping).some(
    (column) => column !== null && list?.uncalculated.has(column),
  );
  return (
    <>
      <Warning color="yellow">{isUncalculated && t('uncalculated')}</Warning>
      {filledCount > 0 && (
        <Text size="sm" c="dimmed" role="status">
          {t('filled', { count: filledCount })}
        </Text>
      )}
      {list !== null && list.hiddenColumns > 0 && (
        <Text size="sm" c="dimmed" role="status">
          {t('hiddenColumns', { count: list.hiddenColumns })}
        </Text>
      )}
    </>
  );
}

interface WarningsProps {
  readonly plan: readonly PlannedRow[];
  /** The username pattern; null if the list has usernames. */
  readonly pattern: string | null;
  /** Whether the usernames are numbers that may lack leading zeros. */
  readonly zerosMayLack: boolean;
  /** True when the encoding was guessed, so that the user should check the text. */
  readonly isGuess: boolean;
}

const isWide = ({ wide }: PlannedRow) => wide.username !== null || wide.classLabel !== null;

/** Shows what may be wrong in the rows of a list, and what the import has changed in them. */
export function Warnings({ plan, pattern, zerosMayLack, isGuess }: WarningsProps) {
  const t = useTexts(texts);
  const l = useTexts(listTexts);
  const language = useLanguage() === 'en' ? 'en' : 'zh';
  const countOf = (is: (row: PlannedRow) => boolean) => plan.filter(is).length;
  const knownByName = countOf(({ named }) => named === 'known');
  const namesakes = countOf(({ namesakeIn }) => namesakeIn !== null);
  const rounded = countOf(({ problem }) => problem === 'numberRounded');
  const short = countOf(({ problem }) => problem === 'numberShort');
  return (
    <>
      {pattern !== null && (
        <Text size="sm" c="dimmed" role="status">
          {t('usernamesMade', { pattern: translatePattern(pattern, language) })}
          {knownByName > 0 && ` ${t('foundByName', { count: knownByName })}`}
        </Text>
      )}
      <Warning color="yellow">{namesakes > 0 && t('namesakes', { count: namesakes })}</Warning>
      <Warning color="yellow">{isGuess && l('encodingGuessed')}</Warning>
      <Warning color="yellow">{zerosMayLack && t('zerosMayLack')}</Warning>
      <Warning color="red">{rounded > 0 && t('numbersRounded', { count: rounded })}</Warning>
      <Warning color="red">{short > 0 && t('numbersShort', { count: short })}</Warning>
      <Warning color="yellow">{mayBeRounded(plan) && t('mayBeRounded')}</Warning>
      {plan.some(isWide) && (
        <Text size="sm" c="dimmed" role="status">
          {t('wideText')}
        </Text>
      )}
    </>
  );
}

interface WarningProps {
  readonly color: 'yellow' | 'red';
  /** False shows no warning. */
  readonly children: string | false;
}

function Warning({ color, children }: WarningProps) {
  return (
    children && (
      <Alert color={color} role="status">
        {children}
      </Alert>
    )
  );
}
