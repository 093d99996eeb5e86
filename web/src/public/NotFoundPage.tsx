import { Button } from '@mantine/core';
import { useTexts } from '../i18n/texts.ts';
import { SignInLayout } from '../session/SignInLayout.tsx';
import { texts } from './texts.ts';

export function NotFoundPage() {
  const t = useTexts(texts);
  return (
    <SignInLayout title={t('lostTitle')} text={t('lostHint')} backLink={null}>
      <Button component="a" href="/" fullWidth>
        {t('toStart')}
      </Button>
    </SignInLayout>
  );
}
