import { Anchor } from '@mantine/core';
import { IconInbox } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useOperationList } from '../../../api/queries.ts';
import { useTexts } from '../../../i18n/texts.ts';
import classes from './Dashboard.module.css';
import { refreshed } from './Panel.tsx';
import { texts } from './texts.ts';

/** Says whether schools wait for an answer. It takes the same room before that is known: nothing below it moves. */
export function PendingNotice() {
  const t = useTexts(texts);
  const pending = useOperationList('listApplications', { query: { status: 'pending', limit: 1 } }, refreshed);
  const count = pending.data?.total;
  if (count === undefined) return pending.isError ? null : <div className={classes.notice} />;
  return (
    <div className={classes.notice} data-some={count > 0 || undefined}>
      <IconInbox aria-hidden size={20} />
      <span>{count === 0 ? t('noApplications') : t('pending', { count })}</span>
      {count > 0 && (
        <Anchor fw={600} renderRoot={(props) => <Link to="/applications" {...props} />}>
          {t('review')}
        </Anchor>
      )}
    </div>
  );
}
