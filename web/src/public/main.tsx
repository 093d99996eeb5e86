import { Button } from '@mantine/core';
import { startApp } from '../AppRoot.tsx';
import { useTexts } from '../i18n/texts.ts';
import { SignInLayout } from '../session/SignInLayout.tsx';
import { PublicPage } from './PublicPage.tsx';
import { texts } from './texts.ts';

// The server also sends this page for addresses that do not exist.
startApp(location.pathname === '/' ? <PublicPage /> : <NotFoundPage />);

function NotFoundPage() {
  const t = useTexts(texts);
  return (
    <SignInLayout title={t('notFoundTitle')} text={t('notFoundHint')} backLink={null}>
      <Button component="a" href="/" fullWidth>
        {t('toStart')}
      </Button>
    </SignInLayout>
  );
}
