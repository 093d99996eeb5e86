import { Badge, Stack, TextInput, UnstyledButton } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { useOperationList } from '../../../api/queries.ts';
import { DateText } from '../../../components/DateText.tsx';
import { Hint } from '../../../components/Hint.tsx';
import { PageHeader } from '../../../components/PageHeader.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import NoSchools from '../../installation/NoSchools.tsx';
import { matchingSchools } from '../../installation/search.ts';
import { PageLink } from '../../PageLink.tsx';
import { useSchools } from '../../school.tsx';
import classes from '../figures/Figures.module.css';
import { News, Panel, PanelList, PanelRow, PendingNotice, refreshOptions } from './Panel.tsx';
import { texts } from './texts.ts';

const shownMax = 20;

export function InstallationOverview() {
  const t = useTexts(texts);
  const { schools } = useSchools();
  if (schools.length === 0) {
    return (
      <>
        <PendingNotice />
        <NoSchools isPage />
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
  const found = matchingSchools(schools, typed);
  const hidden = found.length - shownMax;
  const data = { data: found, error: null, refetch: () => undefined };
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
          <PanelList empty={t('noSchoolFound')}>
            {rows.slice(0, shownMax).map(({ schoolDb, name, disabled, createdAt }) => (
              <PanelRow
                key={schoolDb}
                end={
                  <>
                    {disabled === 1 && (
                      <Badge color="gray" variant="light">
                        {t('disabled')}
                      </Badge>
                    )}
                    <Hint span>
                      {t('since')} <DateText value={createdAt} as="day" />
                    </Hint>
                  </>
                }
              >
                <UnstyledButton c="inherit" fw={600} onClick={() => choose(schoolDb)}>
                  {name}
                </UnstyledButton>
              </PanelRow>
            ))}
          </PanelList>
          {hidden > 0 && <Hint mt={4}>{t('moreSchools', { count: hidden })}</Hint>}
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
        <PanelList>
          {rows.map(({ id, schoolName, applicantName, createdAt }) => (
            <PanelRow
              key={id}
              under={applicantName}
              end={
                <Hint span>
                  <DateText value={createdAt} as="ago" />
                </Hint>
              }
            >
              <PageLink to="/applications" c="inherit" fw={600}>
                {schoolName}
              </PageLink>
            </PanelRow>
          ))}
        </PanelList>
      )}
    </Panel>
  );
}
