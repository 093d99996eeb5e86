import { Group, Text } from '@mantine/core';
import type { RowOf } from '../api/operation-types.ts';
import { ScoreText } from '../components/ScoreText.tsx';
import { useFormat } from '../i18n/format.ts';
import { useTexts } from '../i18n/texts.ts';
import { texts } from './texts.ts';
import { useDayName } from './use-day-name.ts';

interface RecordListProps {
  readonly records: readonly RowOf<'listOwnScores'>[];
  readonly withDay?: boolean;
}

export function RecordList({ records, withDay = false }: RecordListProps) {
  const t = useTexts(texts);
  const format = useFormat();
  const dayName = useDayName();
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
              {withDay && `${dayName(createdAt)} · `}
              {format.time(createdAt)}
              {occurredAt !== createdAt && ` · ${t('occurred', { when: format.dateTime(occurredAt) })}`}
            </Text>
          </Text>
          <ScoreText value={scoreChange} pill />
        </Group>
      ))}
    </ul>
  );
}
