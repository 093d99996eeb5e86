import { Alert, Text } from '@mantine/core';
import { useTexts } from '../../../i18n/texts.ts';
import type { ReadList } from '../../lists/read-list.ts';
import type { StudentMapping } from './student-columns.ts';
import { texts } from './texts.ts';

interface ListNotesProps {
  readonly list: Pick<ReadList, 'hiddenColumns' | 'uncalculated'> | null;
  readonly mapping: StudentMapping;
  readonly filledCount: number;
}

export function ListNotes({ list, mapping, filledCount }: ListNotesProps) {
  const t = useTexts(texts);
  const isUncalculated = Object.values(mapping).some(
    (column) => column !== null && list?.uncalculated.has(column),
  );
  return (
    <>
      {isUncalculated && (
        <Alert color="yellow" role="status">
          {t('uncalculated')}
        </Alert>
      )}
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
