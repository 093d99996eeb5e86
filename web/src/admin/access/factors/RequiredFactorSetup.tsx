import { Button } from '@mantine/core';
import { useTexts } from '../../../i18n/texts.ts';
import { SignInLayout } from '../../../session/SignInLayout.tsx';
import { useSignOut } from '../../use-sign-out.tsx';
import { SecondFactor } from './SecondFactor.tsx';
import { texts } from './texts.ts';

export function RequiredFactorSetup({ onDone }: { readonly onDone: () => void }) {
  const t = useTexts(texts);
  const { signOutAtOnce, pending } = useSignOut();
  const leave = (
    <Button variant="subtle" color="gray" mt="xs" onClick={signOutAtOnce} loading={pending}>
      {t('signOut')}
    </Button>
  );
  return (
    <SignInLayout title={t('firstTitle')} text={t('firstText')} backLink={leave}>
      <SecondFactor onDone={onDone} />
    </SignInLayout>
  );
}
