import type { RowOf } from '../api/operation-types.ts';
import { ScoreText } from '../components/ScoreText.tsx';
import { commonTexts } from '../i18n/common-texts.ts';
import { useFormat } from '../i18n/format.ts';
import { useTexts } from '../i18n/texts.ts';
import { useDayNames } from './day-names.ts';
import classes from './RecordList.module.css';
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
    <ul className={classes.list}>
      {records.map(({ id, description, createdAt, occurredAt, scoreChange }) => (
        <li key={id} className={classes.record}>
          <span className={classes.reason} data-blank={description === '' || undefined}>
            {description || t('noReason')}
            <time className={classes.time} dateTime={createdAt}>
              {withDay && `${names.day(createdAt)} · `}
              {names.time(createdAt)}
              {occurredAt !== createdAt && ` · ${c('occurred', { when: format.dateTime(occurredAt) })}`}
            </time>
          </span>
          <ScoreText value={scoreChange} pill />
        </li>
      ))}
    </ul>
  );
}
