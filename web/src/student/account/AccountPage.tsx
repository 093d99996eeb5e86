import { Button } from '@mantine/core';
import { useMutationOf, useOperationList } from '../../api/queries.ts';
import { ColorSchemeSwitch } from '../../components/ColorSchemeSwitch.tsx';
import { ErrorState } from '../../components/ErrorState.tsx';
import { FailureAlert } from '../../components/FailureAlert.tsx';
import { LanguageSwitch } from '../../components/LanguageSwitch.tsx';
import { LoadingRows } from '../../components/LoadingRows.tsx';
import { PageHeader } from '../../components/PageHeader.tsx';
import { commonTexts } from '../../i18n/common-texts.ts';
import { useTexts } from '../../i18n/texts.ts';
import { EventList } from '../../session/EventList.tsx';
import { PasswordForm } from '../../session/PasswordForm.tsx';
import { SessionList } from '../../session/SessionList.tsx';
import { Card } from '../Card.tsx';
import { useInstall } from '../install.ts';
import { useStudent } from '../me.ts';
import { useSignOut } from '../use-sign-out.ts';
import classes from './AccountPage.module.css';
import { texts } from './texts.ts';

export function AccountPage() {
  const t = useTexts(texts);
  const { username, actualName, schoolName, mustChangePassword } = useStudent();
  const change = useMutationOf('changeStudentPassword');
  return (
    <>
      <PageHeader title={t('title')} />
      <div className={classes.cards}>
        <Profile />
        <Card title={t('display')}>
          <div className={classes.setting}>
            <span>{t('language')}</span>
            <LanguageSwitch />
          </div>
          <div className={classes.setting}>
            <span>{t('scheme')}</span>
            <ColorSchemeSwitch />
          </div>
        </Card>
        <Install />
        {/* Left out while a dialog above the page already asks for a new password. */}
        {!mustChangePassword && (
          <Card title={t('changePassword')}>
            <PasswordForm as="student" username={username} own={[actualName, schoolName]} change={change} />
          </Card>
        )}
        <Card title={t('sessions')}>
          <p className={classes.hint}>{t('sessionsHint')}</p>
          <OwnSessions />
        </Card>
        <Card title={t('events')}>
          <OwnEvents />
        </Card>
        <SignOut />
      </div>
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
      <dl className={classes.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
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
      <p className={classes.hint}>
        {t(how === 'button' ? 'installText' : how === 'iOS' ? 'installIos' : 'installMenu')}
      </p>
      {how === 'button' && (
        <Button variant="default" onClick={install}>
          {t('installButton')}
        </Button>
      )}
    </Card>
  );
}

function SignOut() {
  const c = useTexts(commonTexts);
  const { signOut, isPending } = useSignOut();
  return (
    <Button variant="default" size="md" loading={isPending} onClick={signOut}>
      {c('signOut')}
    </Button>
  );
}

const shown = 6;

function OwnEvents() {
  const t = useTexts(texts);
  const events = useOperationList('listStudentEvents', { query: { limit: shown } });
  if (events.isPending) return <LoadingRows rows={4} height={44} />;
  if (!events.data) return <ErrorState compact error={events.error} onRetry={() => void events.refetch()} />;
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
