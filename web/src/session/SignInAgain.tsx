import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { recordSignIn, recordSignOut, sessionState } from '../api/session-state.ts';
import { useTexts } from '../i18n/texts.ts';
import { useStore } from '../store.ts';
import { NativeDialog } from './NativeDialog.tsx';
import { AdminSignInForm, type PreviousUser, StudentSignInForm } from './SignInForm.tsx';
import { storedSession } from './stored-session.ts';
import { texts } from './texts.ts';

interface SignInAgainProps {
  readonly as: 'admin' | 'student';
  readonly me: { readonly id: number } & PreviousUser;
}

/** A sign-in dialog above the page, which keeps its input. After the sign-in, the refused calls are sent again. */
export function SignInAgain({ as, me }: SignInAgainProps) {
  const expired = useStore(sessionState) === 'expired';
  return expired ? <SignInDialog as={as} me={me} /> : null;
}

function SignInDialog({ as, me }: SignInAgainProps) {
  const t = useTexts(texts);
  const client = useQueryClient();
  const Form = as === 'admin' ? AdminSignInForm : StudentSignInForm;
  const start = `/${as}`;
  const onSignedIn = (signedInNow: { id: number }) => {
    if (signedInNow.id !== me.id) {
      // Leaves the URL, which may contain names or search words of the person before.
      location.replace(start);
      return;
    }
    recordSignIn();
    void client.invalidateQueries();
  };
  const leave = () => {
    storedSession[as].signOut();
    recordSignOut();
    location.assign(as === 'admin' ? '/' : start);
  };
  return (
    <NativeDialog title={t('againTitle')} text={t('againText')} onCancel={null}>
      <Form onSignedIn={onSignedIn} again={me} />
      <Button variant="subtle" color="gray" onClick={leave}>
        {t('leave')}
      </Button>
    </NativeDialog>
  );
}
