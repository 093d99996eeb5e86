import { Alert, Button, Group, Loader, Paper, Progress as ProgressBar, Stack, Text } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { call } from '../../../api/call.ts';
import { invalidateStaleReads } from '../../../api/stale-reads.ts';
import { useFailureText } from '../../../components/failure-text.ts';
import { Hint } from '../../../components/Hint.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { PageLink } from '../../PageLink.tsx';
import { Heading } from '../../page/Page.tsx';
import { useSchool } from '../../school.tsx';
import { type ClosingProgress, type TermClosing, termCloser } from './close-terms.ts';
import { texts } from './texts.ts';

interface ResultStepProps {
  readonly closing: TermClosing;
  readonly onClose: () => void;
  readonly onRunning: (running: boolean) => void;
}

export function ResultStep({ closing, onClose, onRunning }: ResultStepProps) {
  const t = useTexts(texts);
  const failureText = useFailureText();
  const { progress, running, run } = useClosing(closing, onRunning);
  const started = useRef(false);
  useEffect(() => {
    // Starts only once, although React runs effects twice in development.
    if (started.current) return;
    started.current = true;
    run(closing.classes.map(({ id }) => id));
  }, [closing, run]);

  const total = closing.classes.length;
  const of = (id: number): ClosingProgress => progress.get(id) ?? { state: 'waiting' };
  const ended = closing.classes.filter(({ id }) => ['done', 'failed'].includes(of(id).state)).length;
  const failed = closing.classes.filter(({ id }) => of(id).state === 'failed').map(({ id }) => id);
  return (
    <Stack>
      <div aria-live="polite">
        <Heading>
          {running && t('running', { done: ended, total })}
          {!running && failed.length === 0 && t('allDone', { count: total })}
          {!running && failed.length > 0 && t('someFailed', { count: failed.length })}
        </Heading>
      </div>
      {running && (
        <>
          <ProgressBar value={(ended / total) * 100} aria-label={t('stepRun')} />
          <Alert color="gray" py="xs">
            {t('stay')}
          </Alert>
        </>
      )}
      <Paper component="ul" className="ruled" radius="md" withBorder m={0} p={0}>
        {closing.classes.map(({ id, gradeName, name }) => {
          const one = of(id);
          return (
            <Group key={id} component="li" gap="2px 12px" mih={48} px={14} py={6}>
              <Text span flex={1}>
                {`${gradeName} ${name}`}
              </Text>
              {one.state === 'waiting' && <Hint span>{t('stateWaiting')}</Hint>}
              {one.state === 'running' && <Loader size="xs" role="img" aria-label={t('stateRunning')} />}
              {one.state === 'done' && (
                <>
                  <Hint span>
                    {t('classCounts', {
                      students: t('studentCount', { count: one.term.students }),
                      records: t('recordCount', { count: one.term.records }),
                    })}
                  </Hint>
                  {closing.action === 'archive' && (
                    <PageLink to="/terms" search={(before) => ({ ...before, term: one.term.id })} size="sm">
                      {t('show')}
                    </PageLink>
                  )}
                  <IconCheck aria-hidden size={18} color="var(--app-plus)" />
                </>
              )}
              {one.state === 'failed' && (
                <Text span w="100%" size="sm" c="var(--mantine-color-error)">
                  {failureText(one.error)}
                </Text>
              )}
            </Group>
          );
        })}
      </Paper>
      {!running && (
        <Group justify="flex-end" gap="xs">
          {failed.length > 0 && <Button onClick={() => run(failed)}>{t('tryRest')}</Button>}
          <Button variant={failed.length > 0 ? 'default' : 'filled'} onClick={onClose}>
            {t('done')}
          </Button>
        </Group>
      )}
    </Stack>
  );
}

function useClosing({ action, name }: TermClosing, onRunning: (running: boolean) => void) {
  const { schoolDb } = useSchool();
  const client = useQueryClient();
  const [progress, setProgress] = useState<ReadonlyMap<number, ClosingProgress>>(new Map());
  const [running, setRunning] = useState(true);
  const [closeAll] = useState(() =>
    termCloser(async (classId, idempotencyKey) => {
      const body = { schoolDb, classId, action, name };
      const { term, ...counts } = await call('switchTerm', { body, idempotencyKey });
      return { id: term.id, students: counts.students, records: counts.records };
    }),
  );
  const run = async (classIds: readonly number[]) => {
    setRunning(true);
    onRunning(true);
    await closeAll(classIds, (id, one) => setProgress((before) => new Map(before).set(id, one)));
    setRunning(false);
    onRunning(false);
    await invalidateStaleReads(client, ['switchTerm']);
  };
  return { progress, running, run: (classIds: readonly number[]) => void run(classIds) };
}
