import { Button, Group, Paper, Progress, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconTemplate } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../api/call.ts';
import { invalidateStaleReads } from '../../../api/stale-reads.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { FailureAlert } from '../../../components/FailureAlert.tsx';
import { Hint } from '../../../components/Hint.tsx';
import { ScoreText } from '../../../components/ScoreText.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { useMe } from '../../me.ts';
import { type CreateAction, CreateButton } from '../../page/Page.tsx';
import { useSchool } from '../../school.tsx';
import { addTemplates, mayChangeSchoolWide, starterTemplates } from './templates.ts';
import { texts } from './texts.ts';

interface StarterTemplatesProps {
  readonly create: CreateAction;
  /** Called with true while adding or showing an error; the page must keep this component meanwhile. */
  readonly onBusy: (busy: boolean) => void;
}

export function StarterTemplates({ create, onBusy }: StarterTemplatesProps) {
  const t = useTexts(texts);
  const { role, classId } = useMe();
  const { schoolDb } = useSchool();
  const client = useQueryClient();
  const [done, setDone] = useState<number | null>(null);
  const [error, setError] = useState<unknown>(null);
  const total = starterTemplates.length;
  const running = done !== null && error === null;
  const mayOffer = mayChangeSchoolWide(role) || classId !== null;

  const finish = () => {
    onBusy(false);
    void invalidateStaleReads(client, ['createScoreTemplate']);
  };
  const add = async () => {
    setError(null);
    setDone(0);
    onBusy(true);
    try {
      await addTemplates({
        wanted: starterTemplates.map(({ key, scoreChange }) => ({ name: t(key), scoreChange })),
        classId,
        list: () => call('listScoreTemplates', { query: { schoolDb } }),
        create: (template) => {
          const body = { schoolDb, ...template, ...(classId !== null && { classId }) };
          return call('createScoreTemplate', { body });
        },
        onProgress: setDone,
      });
      notifications.show({ message: t('starterAdded', { count: total }) });
      finish();
    } catch (failure) {
      setError(failure);
    }
  };

  const hint = mayChangeSchoolWide(role) ? t('emptyHint') : t('emptyHintReader');
  const addButton = <CreateButton {...create} variant={mayOffer ? 'default' : 'filled'} />;
  if (!mayOffer) {
    return <EmptyState icon={IconTemplate} title={t('emptyTitle')} hint={hint} action={addButton} />;
  }
  return (
    <EmptyState
      icon={IconTemplate}
      title={t('emptyTitle')}
      hint={hint}
      action={
        <Stack mt="sm" gap="md" w="100%" maw={620}>
          {(['plus', 'minus'] as const).map((kind) => (
            <Group key={kind} component="ul" justify="center" gap={8} m={0} p={0} aria-label={t(kind)}>
              {starterTemplates.map(({ key, scoreChange }, index) => {
                if (scoreChange > 0 !== (kind === 'plus')) return null;
                const isDone = index < (done ?? 0);
                return (
                  <Paper
                    key={key}
                    component="li"
                    px={10}
                    py={4}
                    radius="xl"
                    fz="sm"
                    fw={550}
                    bg={isDone ? 'var(--app-accent-soft)' : 'var(--app-surface)'}
                    bd={`1px solid var(--app-${isDone ? 'accent' : 'line'})`}
                    style={{ listStyle: 'none' }}
                  >
                    {t(key)} <ScoreText value={scoreChange} />
                  </Paper>
                );
              })}
            </Group>
          ))}
          <Hint>{t(classId === null ? 'starterForSchool' : 'starterForClass')}</Hint>
          {done !== null && (
            <div>
              <Progress value={(100 * done) / total} aria-label={t('starterTitle')} animated={running} />
              <Text size="sm" mt={6} role="status">
                {t('starterProgressed', { done, total })}
              </Text>
            </div>
          )}
          <FailureAlert error={error} />
          <Group justify="center" gap="sm">
            {error === null ? (
              !running && addButton
            ) : (
              <Button variant="default" onClick={finish}>
                {t('starterStop')}
              </Button>
            )}
            <Button onClick={() => void add()} loading={running}>
              {error === null ? t('starterAdd', { count: total }) : t('starterGoOn')}
            </Button>
          </Group>
        </Stack>
      }
    />
  );
}
