import { Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type ReactNode, useState } from 'react';
import { hasStatus } from '../api/api-failure.ts';
import { useMutationOf } from '../api/queries.ts';
import { recordSignOut } from '../api/session-state.ts';
import { ConfirmDialog } from '../components/ConfirmDialog.tsx';
import { useTexts } from '../i18n/texts.ts';
import { adminHint } from '../session/admin-hint.ts';
import { useOutbox } from './outbox/use-outbox.ts';
import { texts } from './shell/texts.ts';
import { storedRuns } from './stored-runs.ts';

interface SignOut {
  readonly signOut: () => void;
  /** Signs out without asking. Unsent points are sent after the next sign-in. */
  readonly signOutAtOnce: () => void;
  readonly pending: boolean;
  /** The question about unsent points. The caller must render it. */
  readonly dialog: ReactNode;
}

/** Signs out. If the server does not confirm it, shows an error, because a shared computer would stay signed in. */
export function useSignOut(): SignOut {
  const t = useTexts(texts);
  const outbox = useOutbox();
  const [asking, setAsking] = useState(false);
  const [unsent, setUnsent] = useState(0);
  const leave = () => {
    adminHint.forget();
    recordSignOut();
    location.assign('/');
  };
  const logout = useMutationOf('logout', {
    onSuccess: leave,
    onError: (error) => {
      // With status 401, the session has already ended or belongs to another person.
      if (hasStatus(error, 401)) leave();
      else notifications.show({ color: 'red', message: t('stillSignedIn') });
    },
  });
  const signOutAtOnce = () => {
    // Deletes names even if the sign-out fails.
    adminHint.markLeaving();
    storedRuns.clear();
    logout.mutate({});
  };
  return {
    signOutAtOnce,
    signOut: () => {
      const count = outbox.unsettledCount;
      if (count === 0) {
        signOutAtOnce();
        return;
      }
      setUnsent(count);
      setAsking(true);
    },
    pending: logout.isPending,
    dialog: (
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={t('unsentTitle')}
        confirmLabel={t('signOut')}
        danger
        onConfirm={() => {
          setAsking(false);
          signOutAtOnce();
        }}
      >
        <Text>{t('unsentText', { count: unsent })}</Text>
      </ConfirmDialog>
    ),
  };
}
