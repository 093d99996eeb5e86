import { Button, Loader, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { hasStatus } from '../../api/api-failure.ts';
import { useMutationOf, useOperation } from '../../api/queries.ts';
import { studentToken } from '../../api/session-state.ts';
import { FailureAlert } from '../../components/FailureAlert.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { issuedPassword } from '../../session/issued-password.ts';
import { StudentSignInForm } from '../../session/SignInForm.tsx';
import { SignInLayout } from '../../session/SignInLayout.tsx';
import { sharedComputer } from '../../session/stored-session.ts';
import { texts } from './texts.ts';

interface CodeSignInProps {
  readonly code: string;
  /** Called when the code was used or is not valid. The app then shows the signed-in student, if any. */
  readonly onDone: () => void;
}

/** Signs in with a code. First asks whether to do so if somebody is signed in on this device. */
export default function CodeSignIn({ code, onDone }: CodeSignInProps) {
  const t = useTexts(texts);
  const client = useQueryClient();
  const [agreed, setAgreed] = useState(() => studentToken.get() === null);
  const someone = useOperation('getStudentMe', {}, { enabled: !agreed });
  const isNobody = agreed || hasStatus(someone.error, 401);
  const goOn = () => {
    client.clear();
    onDone();
  };
  const signIn = useMutationOf('signInByCode', {
    onSuccess: (me) => {
      studentToken.keep(me.token, { isShared: sharedComputer.get() });
      if (me.openedWith === 'code') issuedPassword.set({ password: null });
      goOn();
    },
  });
  const send = () => signIn.mutate({ body: { code, sharedComputer: sharedComputer.get() } });
  const sent = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: sends a code only once
  useEffect(() => {
    if (!isNobody || sent.current) return;
    sent.current = true;
    send();
  }, [isNobody]);

  const name = someone.data?.actualName;
  const stay = name !== undefined && (
    <Button variant="default" size="md" fullWidth onClick={onDone}>
      {t('stayAs', { name })}
    </Button>
  );
  if (hasStatus(signIn.error, 401)) {
    return (
      <SignInLayout title={t('usedTitle')} text={t(stay ? 'usedTextStay' : 'usedText')} backLink={null}>
        {stay || <StudentSignInForm onSignedIn={goOn} />}
      </SignInLayout>
    );
  }
  if (!isNobody && name !== undefined) {
    return (
      <SignInLayout title={t('title')} text={t('someoneElse', { name })} backLink={null}>
        <Stack>
          <Text>{t('whose', { name })}</Text>
          <Button size="md" fullWidth onClick={() => setAgreed(true)}>
            {t('useCode')}
          </Button>
          {stay}
        </Stack>
      </SignInLayout>
    );
  }
  const failure = signIn.error ?? (isNobody ? null : someone.error);
  return (
    <SignInLayout title={t('title')} text={failure ? '' : t('signingIn')} backLink={null}>
      {failure ? (
        <Stack>
          <FailureAlert error={failure} />
          <Button size="md" fullWidth onClick={() => (isNobody ? send() : void someone.refetch())}>
            {t('retry')}
          </Button>
        </Stack>
      ) : (
        <Loader role="status" aria-label={t('signingIn')} />
      )}
    </SignInLayout>
  );
}
