import { useOperationList } from '../../api/queries.ts';
import { ErrorState } from '../../components/ErrorState.tsx';
import { LoadingRows } from '../../components/LoadingRows.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { EventList } from '../../session/EventList.tsx';
import { texts } from './texts.ts';

const shown = 6;

export function OwnEvents() {
  const t = useTexts(texts);
  const events = useOperationList('listStudentEvents', { query: { limit: shown } });
  if (events.isPending) return <LoadingRows rows={4} height={44} />;
  if (!events.data) return <ErrorState compact error={events.error} onRetry={() => void events.refetch()} />;
  const lines = events.data.rows.map(({ kind, ...event }) => ({
    ...event,
    text: t(kind),
    isFailure: kind.endsWith('Failed'),
  }));
  return <EventList events={lines} />;
}
