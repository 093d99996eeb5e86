import { Button, Group, Input, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconLogout } from '@tabler/icons-react';
import { type ReactNode, useId } from 'react';
import { hasStatus } from '../../../api/api-failure.ts';
import { useMutationOf, useOperationList } from '../../../api/queries.ts';
import { ColorSchemeSwitch } from '../../../components/ColorSchemeSwitch.tsx';
import { LanguageSwitch } from '../../../components/LanguageSwitch.tsx';
import { PageHeader } from '../../../components/PageHeader.tsx';
import { useFailureNotice } from '../../../components/use-failure-notice.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { PasswordForm } from '../../../session/PasswordForm.tsx';
import { SessionList } from '../../../session/SessionList.tsx';
import { useMe } from '../../me.ts';
import { useSchools } from '../../school.tsx';
import { useSignOut } from '../../use-sign-out.tsx';
import { SecondFactor } from '../factors/SecondFactor.tsx';
import { texts as factorTexts } from '../factors/texts.ts';
import classes from './AccountPage.module.css';
import { OwnData } from './OwnData.tsx';
import { OwnEvents } from './OwnEvents.tsx';
import { texts } from './texts.ts';

export function AccountPage() {
  const t = useTexts(texts);
  const f = useTexts(factorTexts);
  const { username, mustChangePassword } = useMe();
  const { schools } = useSchools();
  const change = useMutationOf('changeMyPassword');
  const { signOut, pending, dialog } = useSignOut();
  return (
    <>
      {dialog}
      <PageHeader title={t('title')} />
      <div className={classes.page}>
        <div className={classes.column}>
          <Card title={t('aboutMe')}>
            <OwnData />
          </Card>
          {/* Left out while a dialog above the page already asks for a new password. */}
          {!mustChangePassword && (
            <Card title={t('passwordTitle')} text={t('passwordText')}>
              <PasswordForm
                as="admin"
                username={username}
                own={schools.length === 1 ? schools.map(({ name }) => name) : []}
                change={change}
                repeats
              />
            </Card>
          )}
          <Card title={t('appearanceTitle')} text={t('appearanceText')}>
            <div className={classes.choices}>
              <Input.Wrapper label={t('language')} labelElement="div">
                <div>
                  <LanguageSwitch />
                </div>
              </Input.Wrapper>
              <Input.Wrapper label={t('appearance')} labelElement="div">
                <div>
                  <ColorSchemeSwitch />
                </div>
              </Input.Wrapper>
            </div>
          </Card>
          <Card title={t('leaveTitle')} text={t('leaveText')}>
            <Group mt="md">
              <Button
                variant="default"
                leftSection={<IconLogout aria-hidden size={17} />}
                onClick={signOut}
                loading={pending}
              >
                {t('signOut')}
              </Button>
            </Group>
          </Card>
        </div>
        <div className={classes.column}>
          <Card title={f('title')} text={f('text')}>
            <SecondFactor />
          </Card>
          <Card title={t('sessionsTitle')} text={t('sessionsText')}>
            <OwnSessions />
          </Card>
          <Card title={t('eventsTitle')} text={t('eventsText')}>
            <OwnEvents />
          </Card>
        </div>
      </div>
    </>
  );
}

interface CardProps {
  readonly title: string;
  readonly text?: string;
  readonly children: ReactNode;
}

function Card({ title, text, children }: CardProps) {
  const id = useId();
  return (
    <section className={classes.card} aria-labelledby={id}>
      <Title order={2} size="h3" id={id}>
        {title}
      </Title>
      {text !== undefined && (
        <Text size="sm" c="dimmed" mt={2}>
          {text}
        </Text>
      )}
      {children}
    </section>
  );
}

function OwnSessions() {
  const t = useTexts(texts);
  const sessions = useOperationList('listSessions', {});
  const notice = useFailureNotice();
  const end = useMutationOf('endSession', {
    onSuccess: () => notifications.show({ message: t('ended') }),
    onError: (error) => {
      if (hasStatus(error, 404)) void sessions.refetch();
      else notice(error);
    },
  });
  const endOthers = useMutationOf('endOtherSessions', {
    onSuccess: ({ ended }) => notifications.show({ message: t('endedOthers', { count: ended }) }),
    onError: notice,
  });
  return <SessionList sessions={sessions} end={end} endOthers={endOthers} />;
}
