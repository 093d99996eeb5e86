import { Group, Text } from '@mantine/core';
import type { RowOf } from '../api/operation-types.ts';
import { ScoreText } from '../components/ScoreText.tsx';
import { commonTexts } from '../i18n/common-texts.ts';
import { useFormat } from '../i18n/format.ts';
import { useTexts } from '../i18n/texts.ts';
import { useDayNames } from './day-names.ts';
import { texts } from './texts.ts';

interface RecordListProps {
  readonly records: readonly RowOf<'listOwnScores'>[];
  readonly withDay?: boolean;
}

export function RecordList({ records, withDay = false }: RecordListProps) {
  const t = useTexts(texts);
  const c = useTexts(commonTexts);
  const format = useFormat();
  const names = useDayNames();
  return (
    <ul className="plain-list ruled">
      {records.map(({ id, description, createdAt, occurredAt, scoreChange }) => (
        <Group key={id} component="li" justify="space-between" gap={14} py={11} wrap="nowrap">
          <Text span lh={1.4} miw={0} c={description === '' ? 'dimmed' : 'inherit'}>
            {description || t('noReason')}
            <Text
              component="time"
              display="block"
              fz="0.8125rem"
              lh="inherit"
              c="dimmed"
              dateTime={createdAt}
            >
              {withDay && `${names.day(createdAt)} · `}
              {names.time(createdAt)}
              {occurredAt !== createdAt && ` · ${c('occurred', { when: format.dateTime(occurredAt) })}`}
            </Text>
          </Text>
          <ScoreText value={scoreChange} pill />
        </Group>
      ))}
    </ul>
  );
}
