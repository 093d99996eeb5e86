import type { Announcement } from '@classledger/contract';
import { Switch } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutationOf } from '../../../api/queries.ts';
import { useFailureNotice } from '../../../components/use-failure-notice.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { texts } from './texts.ts';

/** Shows or hides an announcement; it switches at once, and back when the server refuses. */
export function ActiveSwitch({ announcement }: { readonly announcement: Announcement }) {
  const t = useTexts(texts);
  const { id, title, active } = announcement;
  const change = useMutationOf('updateAnnouncement', {
    onSuccess: (changed) =>
      notifications.show({ message: t(changed.active ? 'nowShown' : 'nowHidden', { title }) }),
    onError: useFailureNotice(),
  });
  return (
    <Switch
      aria-label={t('shownNamed', { title })}
      checked={change.isPending ? Boolean(change.variables.body.active) : active === 1}
      onChange={(event) => change.mutate({ params: { id }, body: { active: event.currentTarget.checked } })}
    />
  );
}
