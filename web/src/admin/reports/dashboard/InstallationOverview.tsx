import { Anchor, Badge, Button, Text, TextInput, UnstyledButton } from '@mantine/core';
import { IconSchool, IconSearch } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useOperationList } from '../../../api/queries.ts';
import { DateText } from '../../../components/DateText.tsx';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { PageHeader } from '../../../components/PageHeader.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { useSchools } from '../../school.tsx';
import classes from './Dashboard.module.css';
import { News, PendingNotice } from './DashboardNotices.tsx';
import { Panel, refreshOptions } from './Panel.tsx';
import { texts } from './texts.ts';

const shownMax = 20;

export function InstallationOverview() {
  const t = useTexts(texts);
  const { schools } = useSchools();
  if (schools.length === 0) return <NoSchools />;
  return (
    <>
      <PageHeader title={t('title')} description={t('installation')} />
      <div className={classes.columns}>
        <SchoolList />
        <div className={classes.column}>
          <PendingApplications />
          <News />
        </div>
      </div>
    </>
  );
}

function NoSchools() {
  const t = useTexts(texts);
  return (
    <>
      <PendingNotice />
      <EmptyState
        isPage
        icon={IconSchool}
        title={t('noSchools')}
        hint={t('noSchoolsHint')}
        action={
          <Button mt="xs" renderRoot={(props) => <Link to="/schools" search={{ create: true }} {...props} />}>
            {t('createSchool')}
          </Button>
        }
      />
    </>
  );
}

function SchoolList() {
  const t = useTexts(texts);
  const { schools, choose } = useSchools();
  const [typed, setTyped] = useState('');
  const word = typed.trim().toLocaleLowerCase();
  const found = schools.filter(({ name }) => name.toLocaleLowerCase().includes(word));
  const hidden = found.length - shownMax;
  const data = { data: found, error: null, isError: false, refetch: () => undefined };
  return (
    <Panel title={t('schools')} more={{ to: '/schools' }} query={data}>
      {(rows) => (
        <>
          {schools.length > 8 && (
            <TextInput
              type="search"
              aria-label={t('searchSchool')}
              placeholder={t('searchSchool')}
              leftSection={<IconSearch aria-hidden size={16} />}
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
              mb="xs"
            />
          )}
          {rows.length === 0 && (
            <Text c="dimmed" size="sm" py="sm">
              {t('noSchoolFound')}
            </Text>
          )}
          <ul className={classes.list}>
            {rows.slice(0, shownMax).map(({ schoolDb, name, disabled, createdAt }) => (
              <li key={schoolDb} className={classes.row}>
                <div className={classes.grow}>
                  <UnstyledButton className={classes.school ?? ''} onClick={() => choose(schoolDb)}>
                    {name}
                  </UnstyledButton>
                </div>
                {disabled === 1 && (
                  <Badge color="gray" variant="light">
                    {t('schoolDisabled')}
                  </Badge>
                )}
                <span className={classes.quiet}>
                  {t('since')} <DateText value={createdAt} as="day" />
                </span>
              </li>
            ))}
          </ul>
          {hidden > 0 && (
            <Text size="sm" c="dimmed" mt={4}>
              {t('moreSchools', { count: hidden })}
            </Text>
          )}
        </>
      )}
    </Panel>
  );
}

function PendingApplications() {
  const t = useTexts(texts);
  const pending = useOperationList(
    'listApplications',
    { query: { status: 'pending', limit: 5 } },
    refreshOptions,
  );
  if (!pending.data?.total) return null;
  return (
    <Panel title={t('applications')} more={{ to: '/applications' }} query={pending}>
      {({ rows }) => (
        <ul className={classes.list}>
          {rows.map(({ id, schoolName, applicantName, createdAt }) => (
            <li key={id} className={classes.row}>
              <div className={classes.grow}>
                <Anchor c="inherit" fw={600} renderRoot={(props) => <Link to="/applications" {...props} />}>
                  {schoolName}
                </Anchor>
                <div className={classes.quiet}>{applicantName}</div>
              </div>
              <span className={classes.quiet}>
                <DateText value={createdAt} as="ago" />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
