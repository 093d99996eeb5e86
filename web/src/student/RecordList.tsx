import { Group, Text } from '@mantine/core';
import { useMemo } from 'react';
import type { RowOf } from '../api/operation-types.ts';
import { ScoreText } from '../components/ScoreText.tsx';
import { useFormat } from '../i18n/format.ts';
import { useLanguage, useTexts } from '../i18n/texts.ts';
import { dayBefore, useSchoolTime } from '../school-time/school-time.ts';
import { texts } from './texts.ts';

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
      {records.map(({ id, description, createdAt, occurredAt, scoreChange, giver }) => (
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
              {giver && ` · ${giver}`}
            </Text>
          </Text>
          <ScoreText value={scoreChange} pill />
        </Group>
      ))}
    </ul>
  );
}

/** Returns a function that names the day of a time, for example "Today", "Yesterday" or "Mon, September 7". */
export function useDayName(): (iso: string) => string {
  const language = useLanguage();
  const school = useSchoolTime();
  return useMemo(() => {
    const { timeZone } = school;
    const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
    const sameYear = new Intl.DateTimeFormat(language, {
      weekday: 'short',
      month: 'long',
      day: 'numeric',
      timeZone,
    });
    const otherYear = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone });
    return (iso: string) => {
      const [today, day] = [school.today(), school.dayOf(iso)];
      const ago = [0, 1].find((days) => dayBefore(today, days) === day);
      if (ago !== undefined) return capitalised(relative.format(-ago, 'day'));
      return (day.slice(0, 4) === today.slice(0, 4) ? sameYear : otherYear).format(new Date(iso));
    };
  }, [language, school]);
}

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
