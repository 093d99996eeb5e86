import { Alert, Anchor, Text } from '@mantine/core';
import { useState } from 'react';
import { useTexts } from '../i18n/texts.ts';
import { AdminSignInForm, StudentSignInForm } from './SignInForm.tsx';
import { SignInLayout } from './SignInLayout.tsx';
import { texts } from './texts.ts';

interface SignInPageProps {
  readonly as: 'admin' | 'student';
  readonly hasEnded: boolean;
  readonly onSignedIn: () => void;
}

export function SignInPage({ as, hasEnded, onSignedIn }: SignInPageProps) {
  const t = useTexts(texts);
  const [step, setStep] = useState<string>();
  const Form = as === 'admin' ? AdminSignInForm : StudentSignInForm;
  const toStart = (
    <Anchor href="/" size="sm" display="block" mt={8} py="sm">
      {t('toStart')}
    </Anchor>
  );
  return (
    <SignInLayout
      title={step ?? t(as === 'admin' ? 'adminTitle' : 'studentTitle')}
      text={step ? '' : t(as === 'admin' ? 'adminText' : 'studentText')}
      backLink={toStart}
    >
      {hasEnded && (
        <Alert role="status" py="xs" mb="md">
          {t('ended')}
        </Alert>
      )}
      <Form onSignedIn={onSignedIn} onStep={setStep} />
      {!step && (
        <Text size="sm" c="dimmed" mt="md">
          {t(as === 'admin' ? 'forgottenByStaff' : 'forgotten')}
        </Text>
      )}
    </SignInLayout>
  );
}
