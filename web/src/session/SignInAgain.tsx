import { Button, Stack, Text, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { sessionState, signedIn, signedOut } from '../api/session-state.ts';
import { useTexts } from '../i18n/texts.ts';
import { keptSession } from './kept-session.ts';
import classes from './SignInAgain.module.css';
import { AdminSignInForm, type FormerUser, StudentSignInForm } from './SignInForm.tsx';
import { texts } from './texts.ts';

interface SignInAgainProps {
  readonly as: 'admin' | 'student';
  /** Who was signed in; someone else starts with a fresh page. */
  readonly me: { readonly id: number } & FormerUser;
}

// Asked before everyone else, as this stands here before any page does: a dialog below would take Escape for
// itself and close with what is typed in it, and the keys of scoring would give points.
addEventListener(
  'keydown',
  (event) => {
    if (sessionState.get() !== 'expired') return;
    event.stopImmediatePropagation();
    if (event.key === 'Escape') event.preventDefault();
  },
  { capture: true },
);

/**
 * Opens over the page when the session has ended. What is typed below stays; the calls that were refused are
 * repeated after signing in.
 */
export function SignInAgain({ as, me }: SignInAgainProps) {
  const expired = useSyncExternalStore(sessionState.subscribe, sessionState.get) === 'expired';
  return expired ? <SignInDialog as={as} me={me} /> : null;
}

/** The browser's own dialog: it stands above whatever is open, and weighs nothing. */
function SignInDialog({ as, me }: SignInAgainProps) {
  const t = useTexts(texts);
  const client = useQueryClient();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
    // The name stands there already.
    dialog.current?.querySelector<HTMLInputElement>('input[type="password"]')?.focus();
  }, []);
  const Form = as === 'admin' ? AdminSignInForm : StudentSignInForm;
  const onSignedIn = (signedInNow: { id: number }) => {
    if (signedInNow.id !== me.id) {
      location.reload();
      return;
    }
    signedIn();
    void client.invalidateQueries();
  };
  const leave = () => {
    keptSession[as].forget();
    signedOut();
    location.assign(as === 'admin' ? '/' : '/student');
  };
  return (
    <dialog
      ref={dialog}
      className={classes.dialog}
      aria-labelledby="sign-in-again"
      // Escape must not close it: the calls below wait for an answer.
      onCancel={(event) => event.preventDefault()}
    >
      <Stack>
        <Title order={2} id="sign-in-again">
          {t('againTitle')}
        </Title>
        <Text c="dimmed">{t('againText')}</Text>
        <Form onSignedIn={onSignedIn} again={me} />
        <Button variant="subtle" color="gray" onClick={leave}>
          {t('leave')}
        </Button>
      </Stack>
    </dialog>
  );
}
