import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutationOf, useOperationList } from '../../api/queries.ts';
import { ColorSchemeSwitch } from '../../components/ColorSchemeSwitch.tsx';
import { FailureAlert } from '../../components/FailureAlert.tsx';
import { LanguageSwitch } from '../../components/LanguageSwitch.tsx';
import { LoadingOrError } from '../../components/LoadingOrError.tsx';
import { PageHeader } from '../../components/PageHeader.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { PasswordForm } from '../../session/PasswordForm.tsx';
import { EventList, SessionList } from '../../session/SessionList.tsx';
import { Card } from '../Card.tsx';
import { useInstall } from '../install.ts';
import { useSignOut, useStudent } from '../me.ts';
import { texts } from './texts.ts';

export default function AccountPage() {
  const t = useTexts(texts);
  const { username, actualName, schoolName, mustChangePassword } = useStudent();
  const change = useMutationOf('changeStudentPassword');
  const { signOut, isPending } = useSignOut();
  return (
    <>
      <PageHeader title={t('title')} />
      <Stack gap={14}>
        <Profile />
        <Card title={t('display')}>
          <Group justify="space-between" gap="8px 16px" py={6}>
            {t('language')}
            <LanguageSwitch />
          </Group>
          <Group justify="space-between" gap="8px 16px" py={6}>
            {t('scheme')}
            <ColorSchemeSwitch />
          </Group>
        </Card>
        <Install />
        {/* Left out while a dialog above the page already asks for a new password. */}
        {!mustChangePassword && (
          <Card title={t('changePassword')}>
            <PasswordForm as="student" username={username} own={[actualName, schoolName]} change={change} />
          </Card>
        )}
        <Card title={t('sessions')}>
          <Text mb="sm">{t('sessionsHint')}</Text>
          <OwnSessions />
        </Card>
        <Card title={t('events')}>
          <OwnEvents />
        </Card>
        <Button variant="default" size="md" loading={isPending} onClick={signOut}>
          {t('signOut')}
        </Button>
      </Stack>
    </>
  );
}

function Profile() {
  const t = useTexts(texts);
  const me = useStudent();
  const facts = [
    [t('name'), me.actualName],
    [t('username'), me.username],
    [t('class'), `${me.gradeName} · ${me.className}`],
    [t('school'), me.schoolName],
    [t('schoolCode'), `school_${me.schoolId}`],
    ...(me.email === null ? [] : [[t('email'), me.email] as const]),
  ] as const;
  return (
    <Card title={t('profile')}>
      <dl className="plain-list ruled">
        {facts.map(([name, value]) => (
          <Group key={name} gap="md" py={9} wrap="nowrap" align="baseline">
            <Text component="dt" c="dimmed" flex="0 0 6.5em">
              {name}
            </Text>
            <Text component="dd" miw={0}>
              {value}
            </Text>
          </Group>
        ))}
      </dl>
    </Card>
  );
}

function Install() {
  const t = useTexts(texts);
  const [how, install] = useInstall();
  if (how === 'no') return null;
  return (
    <Card title={t('install')}>
      <Text>{t(how === 'button' ? 'installText' : how === 'iOS' ? 'installIos' : 'installMenu')}</Text>
      {how === 'button' && (
        <Button variant="default" mt="sm" onClick={install}>
          {t('installButton')}
        </Button>
      )}
    </Card>
  );
}

const shown = 6;

function OwnEvents() {
  const t = useTexts(texts);
  const events = useOperationList('listStudentEvents', { query: { limit: shown } });
  if (!events.data) return <LoadingOrError of={[events]} rows={4} height={44} />;
  const lines = events.data.rows.map(({ kind, ...event }) => ({
    ...event,
    text: t(kind),
    isFailure: kind.endsWith('Failed'),
  }));
  return <EventList events={lines} />;
}

function OwnSessions() {
  const sessions = useOperationList('listStudentSessions', {});
  // Refetches after errors too, because the session may already have ended.
  const look = { onSuccess: () => void sessions.refetch(), onError: () => void sessions.refetch() };
  const end = useMutationOf('endStudentSession', look);
  const endOthers = useMutationOf('endOtherStudentSessions', look);
  return (
    <>
      <SessionList sessions={sessions} end={end} endOthers={endOthers} />
      <FailureAlert error={end.error ?? endOthers.error} />
    </>
  );
}
