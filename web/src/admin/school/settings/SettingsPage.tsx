import { Text, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { useOperation } from '../../../api/queries.ts';
import { ErrorState } from '../../../components/ErrorState.tsx';
import { LoadingRows } from '../../../components/LoadingRows.tsx';
import { PageHeader } from '../../../components/PageHeader.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { useSchool } from '../../school.tsx';
import { ClassmatesForm } from './ClassmatesForm.tsx';
import { LeaversForm } from './LeaversForm.tsx';
import classes from './SettingsPage.module.css';
import { TimeZoneForm } from './TimeZoneForm.tsx';
import { ToolsForm } from './ToolsForm.tsx';
import { texts } from './texts.ts';

export function SettingsPage() {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const settings = useOperation('getSchoolSettings', { query: { schoolDb } });
  const { data } = settings;
  return (
    <>
      <PageHeader title={t('title')} description={t('intro')} />
      {settings.isPending && <LoadingRows rows={6} />}
      {!settings.isPending && !data && (
        <ErrorState error={settings.error} onRetry={() => void settings.refetch()} />
      )}
      {data && (
        <div className={classes.page} key={schoolDb}>
          <Card title={t('classmatesTitle')} text={t('classmatesText')}>
            <ClassmatesForm stored={data.classmates} />
          </Card>
          <Card title={t('timeZoneTitle')} text={t('timeZoneText')}>
            <TimeZoneForm stored={data.timeZone} />
          </Card>
          <Card title={t('toolsTitle')} text={t('toolsText')}>
            <ToolsForm stored={data.switchedOffTools} />
          </Card>
          <Card title={t('leaversTitle')} text={t('leaversText')}>
            <LeaversForm stored={data.eraseLeaversAfterDays} />
          </Card>
        </div>
      )}
    </>
  );
}

interface CardProps {
  readonly title: string;
  readonly text: string;
  readonly children: ReactNode;
}

function Card({ title, text, children }: CardProps) {
  const id = useId();
  return (
    <section className={classes.card} aria-labelledby={id}>
      <Title order={2} size="h3" id={id}>
        {title}
      </Title>
      <Text size="sm" c="dimmed" mt={2} mb="md">
        {text}
      </Text>
      {children}
    </section>
  );
}
