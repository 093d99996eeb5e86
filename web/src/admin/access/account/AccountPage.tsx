import type { Activity } from '@classledger/contract';
import { Button, DataList, SimpleGrid, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconLogout } from '@tabler/icons-react';
import { hasStatus } from '../../../api/api-failure.ts';
import { useMutationOf, useOperation, useOperationList } from '../../../api/queries.ts';
import { Hint } from '../../../components/Hint.tsx';
import { LoadingOrError } from '../../../components/LoadingOrError.tsx';
import { RowName } from '../../../components/list/cells.tsx';
import { PageHeader } from '../../../components/PageHeader.tsx';
import { useFailureNotice } from '../../../components/use-failure-notice.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { PasswordForm } from '../../../session/PasswordForm.tsx';
import { type AccountEvent, EventList, SessionList } from '../../../session/SessionList.tsx';
import { Fact } from '../../Fact.tsx';
import { useMayDo, useMe } from '../../me.ts';
import { PageLink } from '../../PageLink.tsx';
import { Section } from '../../page/Section.tsx';
import { useSchools } from '../../school.tsx';
import { texts as shellTexts } from '../../shell/texts.ts';
import { useSignOut } from '../../use-sign-out.tsx';
import { SecondFactor } from '../factors/SecondFactor.tsx';
import { texts as factorTexts } from '../factors/texts.ts';
import { type OwnEvent, ownEventTexts, texts } from './texts.ts';

export default function AccountPage() {
  const t = useTexts(texts);
  const f = useTexts(factorTexts);
  const { username, mustChangePassword } = useMe();
  const { schools } = useSchools();
  const mayDo = useMayDo();
  const change = useMutationOf('changeMyPassword');
  const { signOut, pending, dialog } = useSignOut();
  return (
    <>
      {dialog}
      <PageHeader title={t('title')} />
      <SimpleGrid cols={{ base: 1, lg: 2 }} maw={{ base: 640, lg: 1080 }}>
        <Stack miw={0}>
          <Section title={t('aboutMe')}>
            <OwnData />
          </Section>
          {/* Left out while a dialog above the page already asks for a new password. */}
          {!mustChangePassword && (
            <Section title={t('password')} text={t('passwordText')}>
              <PasswordForm
                as="admin"
                username={username}
                own={schools.length === 1 ? schools.map(({ name }) => name) : []}
                change={change}
                repeats
              />
            </Section>
          )}
          <Section title={t('leaveTitle')} text={t('leaveText')}>
            <Button
              mt="md"
              variant="default"
              leftSection={<IconLogout aria-hidden size={17} />}
              onClick={signOut}
              loading={pending}
            >
              {t('signOut')}
            </Button>
          </Section>
        </Stack>
        <Stack miw={0}>
          <Section title={f('title')} text={f('text')}>
            <SecondFactor />
          </Section>
          <Section title={t('sessionsTitle')} text={t('sessionsText')}>
            <OwnSessions />
          </Section>
          {mayDo('readActivity') && (
            <Section title={t('eventsTitle')} text={t('eventsText')}>
              <OwnEvents />
            </Section>
          )}
        </Stack>
      </SimpleGrid>
    </>
  );
}

function OwnData() {
  const t = useTexts(texts);
  const s = useTexts(shellTexts);
  const me = useMe();
  const { schools } = useSchools();
  const school = schools.find(({ id }) => id === me.schoolId);
  const input = { query: { schoolDb: school?.schoolDb ?? '' } };
  const isIn = (id: number | null) => ({ enabled: school !== undefined && id !== null });
  const grades = useOperation('listSchoolGrades', input, isIn(me.gradeId));
  const classes = useOperation('listSchoolClasses', input, isIn(me.classId));
  const nameIn = (list: typeof grades | typeof classes, own: number) =>
    list.data?.find(({ id }) => id === own)?.name ?? '–';
  const facts = [
    [t('username'), me.username],
    [t('role'), s(me.role)],
    [t('school'), me.schoolId === null ? t('everySchool') : (school?.name ?? '–')],
    [t('schoolCode'), school?.schoolDb],
    [t('grade'), me.gradeId === null ? undefined : nameIn(grades, me.gradeId)],
    [t('class'), me.classId === null ? undefined : nameIn(classes, me.classId)],
  ] as const;
  return (
    <>
      <DataList size="md" gap={10} labelWidth={110} mt="md">
        {facts.map(
          ([name, value]) =>
            value !== undefined && (
              <Fact key={name} name={name}>
                <RowName>{value}</RowName>
              </Fact>
            ),
        )}
      </DataList>
      {me.role !== 'super_admin' && <Hint mt="md">{t('aboutHint')}</Hint>}
    </>
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

const lookedAt = 100;
const shown = 8;

const isOwnEvent = (action: string): action is OwnEvent => Object.hasOwn(ownEventTexts, action);

function OwnEvents() {
  const t = useTexts(texts);
  const said = useTexts(ownEventTexts);
  const { id, schoolId } = useMe();
  const lines = useOperationList('listActivity', { query: { adminId: id, limit: lookedAt } });
  if (!lines.data) return <LoadingOrError of={[lines]} rows={4} height={44} />;
  const eventOf = ({ action, ...line }: Activity): readonly AccountEvent[] => {
    if (!isOwnEvent(action)) return [];
    return [{ ...line, text: said(action), isFailure: action.endsWith('Failed') }];
  };
  return (
    <>
      <EventList events={lines.data.rows.flatMap(eventOf).slice(0, shown)} />
      <PageLink
        to="/activity"
        search={{ admin: id, ...(schoolId === null && { all: true }) }}
        size="sm"
        underline="always"
        display="inline-block"
        lh="44px"
        mb={-12}
      >
        {t('toActivity')}
      </PageLink>
    </>
  );
}
