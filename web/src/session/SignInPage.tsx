import { Alert, Anchor, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { LanguageSwitch } from '../components/LanguageSwitch.tsx';
import { Logo } from '../components/Logo.tsx';
import { SchemeSwitch } from '../components/SchemeSwitch.tsx';
import { usePageTitle } from '../i18n/page-title.ts';
import { useTexts } from '../i18n/texts.ts';
import { AdminSignInForm, StudentSignInForm } from './SignInForm.tsx';
import classes from './SignInPage.module.css';
import { texts } from './texts.ts';

interface SignInPageProps {
  readonly as: 'admin' | 'student';
  /** Someone was signed in here, and is no more. */
  readonly hasEnded: boolean;
  readonly onSignedIn: () => void;
}

/** The whole page while no one is signed in. */
export function SignInPage({ as, hasEnded, onSignedIn }: SignInPageProps) {
  const t = useTexts(texts);
  const title = t(as === 'admin' ? 'adminTitle' : 'studentTitle');
  usePageTitle(title);
  const Form = as === 'admin' ? AdminSignInForm : StudentSignInForm;
  return (
    <div className={classes.page}>
      <main className={classes.main}>
        <Anchor href="/" underline="never" mb="lg">
          <Logo />
        </Anchor>
        <Paper className={classes.card ?? ''}>
          <Stack gap={4} mb="lg">
            <Title order={1}>{title}</Title>
            <Text c="dimmed">{t(as === 'admin' ? 'adminText' : 'studentText')}</Text>
          </Stack>
          {hasEnded && (
            <Alert role="status" py="xs" mb="md">
              {t('ended')}
            </Alert>
          )}
          <Form onSignedIn={onSignedIn} />
          <Text size="sm" c="dimmed" mt="md">
            {t(as === 'admin' ? 'forgottenByStaff' : 'forgotten')}
          </Text>
        </Paper>
        <Group mt="lg" gap="sm" justify="center">
          <LanguageSwitch />
          <SchemeSwitch />
        </Group>
        <Anchor href="/" size="sm" className={classes.toStart ?? ''}>
          {t('toStart')}
        </Anchor>
      </main>
    </div>
  );
}
