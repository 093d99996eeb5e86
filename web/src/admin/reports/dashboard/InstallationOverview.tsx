import { Anchor, Badge, Box, Stack, Text, TextInput, UnstyledButton } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useOperationList } from '../../../api/queries.ts';
import { DateText } from '../../../components/DateText.tsx';
import { PageHeader } from '../../../components/PageHeader.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { useSchools } from '../../school.tsx';
import { NoSchools } from '../../shell/PageOutlet.tsx';
import classes from '../figures/Figures.module.css';
import { News, Panel, PanelRow, PendingNotice, refreshOptions } from './Panel.tsx';
import { texts } from './texts.ts';

const shownMax = 20;

export function InstallationOverview() {
  const t = useTexts(texts);
  const { schools } = useSchools();
  if (schools.length === 0) {
    return (
      <>
        <PendingNotice />
        <NoSchools />
      </>
    );
  }
  return (
    <>
      <PageHeader title={t('title')} description={t('installation')} />
      <div className={classes.columns}>
        <SchoolList />
        <Stack gap={20}>
          <PendingApplications />
          <News />
        </Stack>
      </div>
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
          <ul className="plain-list ruled">
            {rows.slice(0, shownMax).map(({ schoolDb, name, disabled, createdAt }) => (
              <PanelRow key={schoolDb}>
                <Box flex={1} miw={0}>
                  <UnstyledButton c="inherit" fw={600} onClick={() => choose(schoolDb)}>
                    {name}
                  </UnstyledButton>
                </Box>
                {disabled === 1 && (
                  <Badge color="gray" variant="light">
                    {t('schoolDisabled')}
                  </Badge>
                )}
                <Text span size="sm" c="dimmed">
                  {t('since')} <DateText value={createdAt} as="day" />
                </Text>
              </PanelRow>
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
        <ul className="plain-list ruled">
          {rows.map(({ id, schoolName, applicantName, createdAt }) => (
            <PanelRow key={id}>
              <Box flex={1} miw={0}>
                <Anchor c="inherit" fw={600} renderRoot={(props) => <Link to="/applications" {...props} />}>
                  {schoolName}
                </Anchor>
                <Text size="sm" c="dimmed">
                  {applicantName}
                </Text>
              </Box>
              <Text span size="sm" c="dimmed">
                <DateText value={createdAt} as="ago" />
              </Text>
            </PanelRow>
          ))}
        </ul>
      )}
    </Panel>
  );
}
