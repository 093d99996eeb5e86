import { Paper, Title } from '@mantine/core';
import { useOperationList } from '../../../api/queries.ts';
import { useFormat } from '../../../i18n/format.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useSchool } from '../../school.tsx';
import { useIsToolEnabled } from '../../use-is-tool-enabled.ts';
import classes from './StudentPage.module.css';
import { texts } from './texts.ts';

const shownMax = 5;

export function StudentAbsences({ userId }: { readonly userId: number }) {
  const t = useTexts(texts);
  const format = useFormat();
  const { schoolDb } = useSchool();
  const enabled = useIsToolEnabled('attendance');
  const list = useOperationList(
    'listAbsences',
    { query: { schoolDb, userId, limit: shownMax } },
    { enabled },
  );
  if (!enabled || !list.data || list.data.total === 0) return null;
  return (
    <Paper className={classes.panel ?? ''}>
      <Title order={2} size="h3">
        {t('absences', { count: list.data.total })}
      </Title>
      <dl className={classes.facts}>
        {list.data.rows.map(({ id, day, state }) => (
          <div key={id}>
            <dt>
              <time dateTime={day}>{format.calendarDay(day)}</time>
            </dt>
            <dd>{t(`state_${state}`)}</dd>
          </div>
        ))}
      </dl>
    </Paper>
  );
}
