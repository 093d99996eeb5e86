import type { Activity } from '@classledger/contract';
import { Link } from '@tanstack/react-router';
import { useOperationList } from '../../../api/queries.ts';
import { ErrorState } from '../../../components/ErrorState.tsx';
import { LoadingRows } from '../../../components/LoadingRows.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { type AccountEvent, EventList } from '../../../session/EventList.tsx';
import { useMe } from '../../me.ts';
import classes from './AccountPage.module.css';
import { isOwnEvent, ownEventTexts } from './own-event-texts.ts';
import { texts } from './texts.ts';

const lookedAt = 100;
const shown = 8;

export function OwnEvents() {
  const t = useTexts(texts);
  const said = useTexts(ownEventTexts);
  const { id, schoolId } = useMe();
  const lines = useOperationList('listActivity', { query: { adminId: id, limit: lookedAt } });
  if (lines.isPending) return <LoadingRows rows={4} height={44} />;
  if (!lines.data) return <ErrorState compact error={lines.error} onRetry={() => void lines.refetch()} />;
  const eventOf = ({ action, ...line }: Activity): readonly AccountEvent[] => {
    if (!isOwnEvent(action)) return [];
    return [{ ...line, text: said(action), isFailure: action.endsWith('Failed') }];
  };
  return (
    <>
      <EventList events={lines.data.rows.flatMap(eventOf).slice(0, shown)} />
      <Link
        to="/activity"
        search={{ admin: id, ...(schoolId === null && { all: true }) }}
        className={classes.more ?? ''}
      >
        {t('toActivity')}
      </Link>
    </>
  );
}
