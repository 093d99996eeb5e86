import { Anchor, Box, Button, Center, Group, Paper, Stack, Tabs, Text, Title } from '@mantine/core';
import { lazy, useState } from 'react';
import { useOperation } from '../api/queries.ts';
import { studentToken } from '../api/session-state.ts';
import { AnnouncementCard } from '../components/AnnouncementCard.tsx';
import { ColorSchemeSwitch } from '../components/ColorSchemeSwitch.tsx';
import { LazyBoundary } from '../components/ErrorBoundary.tsx';
import { LanguageSwitch } from '../components/LanguageSwitch.tsx';
import { LoadingRows } from '../components/LoadingRows.tsx';
import { Logo } from '../components/Logo.tsx';
import { ScoreText } from '../components/ScoreText.tsx';
import { usePageTitle } from '../i18n/page-title.ts';
import { useLanguage, useTexts } from '../i18n/texts.ts';
import { adminHint } from '../session/admin-hint.ts';
import { AdminSignInForm, StudentSignInForm } from '../session/SignInForm.tsx';
import { texts as sessionTexts } from '../session/texts.ts';
import type { PendingSignIn } from './ChooseOwnPassword.tsx';
import classes from './PublicPage.module.css';
import { texts } from './texts.ts';

const ChooseOwnPassword = lazy(() => import('./ChooseOwnPassword.tsx'));
const ApplicationForm = lazy(() => import('./ApplicationForm.tsx'));

export function PublicPage() {
  const t = useTexts(texts);
  const language = useLanguage();
  usePageTitle(t('title'));
  return (
    <div className={classes.page}>
      <Group component="header" justify="space-between" gap="sm" py={20}>
        <Logo />
        <LanguageSwitch />
      </Group>
      <main className={classes.main}>
        <section>
          <Title order={1} className={classes.headline ?? ''}>
            {t('headline')}
          </Title>
          <Text mt="md" lh={1.6} c="dimmed" className={classes.intro ?? ''}>
            {t('intro')}
          </Text>
          <SampleLedger />
        </section>
        <WaysIn />
        <Announcements />
      </main>
      <Group component="footer" justify="space-between" gap="sm" py={10} className={classes.footer ?? ''}>
        <Anchor href={`/docs?lang=${language}`} size="sm" py="sm">
          {t('apiDocs')}
        </Anchor>
        <ColorSchemeSwitch />
      </Group>
    </div>
  );
}

function WaysIn() {
  const t = useTexts(texts);
  const s = useTexts(sessionTexts);
  // Once opened, the application form stays mounted, so that it keeps its input while another tab is shown.
  const [isApplying, setIsApplying] = useState(false);
  // A person who signed in here before finds the same way to sign in open.
  const [known] = useState(() => ({ admin: adminHint.isPresent(), student: studentToken.get() !== null }));
  const [entering, setEntering] = useState<PendingSignIn | null>(null);
  const enter = (person: PendingSignIn) => {
    if (person.me.mustChangePassword) setEntering(person);
    else location.assign(`/${person.as}`);
  };
  return (
    <Paper
      component="section"
      aria-label={t('waysIn')}
      className={classes.signInOptions ?? ''}
      withBorder
      shadow="md"
    >
      <Tabs
        defaultValue={known.admin && !known.student ? 'admin' : 'student'}
        keepMounted={false}
        onChange={(tab) => tab === 'apply' && setIsApplying(true)}
      >
        <Tabs.List grow mb="lg">
          <Tabs.Tab value="student">{t('student')}</Tabs.Tab>
          <Tabs.Tab value="admin">{t('tabAdmin')}</Tabs.Tab>
          <Tabs.Tab value="apply">{t('tabApply')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="student">
          {known.student && <GoOn to="/student" label={t('goOnStudent')} />}
          <Text c="dimmed" mb="md">
            {t('studentText')}
          </Text>
          <StudentSignInForm onSignedIn={(me) => enter({ as: 'student', me })} />
          <Text mt="md" fz="sm" lh={1.5} c="dimmed">
            {s('forgotten')}
          </Text>
        </Tabs.Panel>
        <Tabs.Panel value="admin">
          {known.admin && <GoOn to="/admin" label={t('goOnAdmin')} />}
          <Text c="dimmed" mb="md">
            {t('adminText')}
          </Text>
          <AdminSignInForm onSignedIn={(me) => enter({ as: 'admin', me })} />
          <Text mt="md" fz="sm" lh={1.5} c="dimmed">
            {s('forgottenByStaff')}
          </Text>
        </Tabs.Panel>
        <Tabs.Panel value="apply" keepMounted={isApplying}>
          <LazyBoundary fallback={<LoadingRows rows={4} height={64} />}>
            <ApplicationForm />
          </LazyBoundary>
        </Tabs.Panel>
      </Tabs>
      {entering && (
        <LazyBoundary>
          <ChooseOwnPassword {...entering} />
        </LazyBoundary>
      )}
    </Paper>
  );
}

function GoOn({ to, label }: { readonly to: '/admin' | '/student'; readonly label: string }) {
  const t = useTexts(texts);
  return (
    <Box mb={20} pb={20} style={{ borderBottom: '1px solid var(--app-line)' }}>
      <Text mb={10}>{t('welcomeBack')}</Text>
      <Button component="a" href={to} variant="light" fullWidth>
        {label}
      </Button>
    </Box>
  );
}

function Announcements() {
  const t = useTexts(texts);
  const { data, isPending, refetch } = useOperation('listAnnouncements', { query: { limit: 10 } });
  return (
    <section aria-labelledby="announcements">
      <Title order={2} id="announcements" mb="sm">
        {t('announcements')}
      </Title>
      {isPending && <LoadingRows rows={2} height={92} />}
      {!isPending && !data && (
        <Group>
          <Text c="dimmed">{t('announcementsFailed')}</Text>
          <Button variant="default" size="xs" onClick={() => void refetch()}>
            {t('retry')}
          </Button>
        </Group>
      )}
      {data?.length === 0 && <Text c="dimmed">{t('noAnnouncements')}</Text>}
      <Stack gap="sm">
        {data?.map((announcement) => (
          <AnnouncementCard key={announcement.id} announcement={announcement} />
        ))}
      </Stack>
    </section>
  );
}

/** Shows sample records. Hidden from screen readers, because the text beside it says the same. */
function SampleLedger() {
  const t = useTexts(texts);
  const lines = [
    [t('sampleFirst'), t('sampleHomework'), 2],
    [t('sampleSecond'), t('sampleHelp'), 3],
    [t('sampleThird'), t('sampleLate'), -1],
  ] as const;
  return (
    <Paper
      className="ruled"
      withBorder
      shadow="xs"
      visibleFrom="md"
      mt={36}
      px={24}
      py={8}
      bg="color-mix(in srgb, var(--app-surface) 85%, transparent)"
      aria-hidden="true"
    >
      <Text pt="sm" pb={8} fz="sm" fw={600} c="dimmed">
        {t('sampleTitle')}
      </Text>
      {lines.map(([name, reason, points]) => (
        <Group key={reason} wrap="nowrap" gap={14} py={11}>
          <Center w={36} h={36} bdrs={99} fw={650} c="var(--app-accent)" bg="var(--app-accent-soft)">
            {name.charAt(0)}
          </Center>
          <Stack gap={0} flex={1} lh={1.4}>
            <Text lh="inherit" fw={600}>
              {name}
            </Text>
            <Text lh="inherit" fz="sm" c="dimmed">
              {reason}
            </Text>
          </Stack>
          <ScoreText value={points} pill />
        </Group>
      ))}
      {/* A sum is no record, so it has no coloured background. */}
      <Group justify="space-between" py={11} pe="1em" fw={600}>
        {t('sampleTotal')}
        <ScoreText value={4} />
      </Group>
    </Paper>
  );
}
