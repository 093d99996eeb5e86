import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconTemplate } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
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
  const [done, setDone] = useState(0);
  const total = starterTemplates.length;
  const mayOffer = mayChangeSchoolWide(role) || classId !== null;
  const finish = () => {
    onBusy(false);
    void invalidateStaleReads(client, ['createScoreTemplate']);
  };
  const add = useMutation({
    onMutate: () => onBusy(true),
    mutationFn: () =>
      addTemplates({
        wanted: starterTemplates.map(({ key, scoreChange }) => ({ name: t(key), scoreChange })),
        classId,
        list: () => call('listScoreTemplates', { query: { schoolDb } }),
        create: (template) => {
          const body = { schoolDb, ...template, ...(classId !== null && { classId }) };
          return call('createScoreTemplate', { body });
        },
        onProgress: setDone,
      }),
    onSuccess: () => {
      notifications.show({ message: t('starterAdded', { count: total }) });
      finish();
    },
  });
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
              {starterTemplates
                .filter(({ scoreChange }) => scoreChange > 0 === (kind === 'plus'))
                .map(({ key, scoreChange }) => (
                  <Paper
                    key={key}
                    component="li"
                    px={10}
                    py={4}
                    radius="xl"
                    withBorder
                    fz="sm"
                    fw={550}
                    style={{ listStyle: 'none' }}
                  >
                    {t(key)} <ScoreText value={scoreChange} />
                  </Paper>
                ))}
            </Group>
          ))}
          <Hint>{t(classId === null ? 'starterForSchool' : 'starterForClass')}</Hint>
          {!add.isIdle && (
            <Text size="sm" role="status">
              {t('starterProgressed', { done, total })}
            </Text>
          )}
          <FailureAlert error={add.error} />
          <Group justify="center" gap="sm">
            {add.isIdle && addButton}
            {add.isError && (
              <Button variant="default" onClick={finish}>
                {t('starterStop')}
              </Button>
            )}
            <Button onClick={() => add.mutate()} loading={add.isPending}>
              {add.isError ? t('starterGoOn') : t('starterAdd', { count: total })}
            </Button>
          </Group>
        </Stack>
      }
    />
  );
}
