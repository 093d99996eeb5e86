import type { ClassSummary } from '@classledger/contract';
import { Alert, Anchor, Button, Group, Loader, Progress as ProgressBar, Stack, Title } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { call } from '../../../api/call.ts';
import { invalidateStaleReads } from '../../../api/stale-reads.ts';
import { useFailureText } from '../../../components/failure-text.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useSchool } from '../../school.tsx';
import { type ClosingProgress, TermCloser, type TermClosing } from './close-terms.ts';
import classes from './Terms.module.css';
import { texts } from './texts.ts';

interface ResultStepProps {
  readonly closing: TermClosing;
  readonly onClose: () => void;
  readonly onRunning: (running: boolean) => void;
}

export function ResultStep({ closing, onClose, onRunning }: ResultStepProps) {
  const t = useTexts(texts);
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
        <Title order={2} size="h3">
          {running && t('running', { done: ended, total })}
          {!running && failed.length === 0 && t('allDone', { count: total })}
          {!running && failed.length > 0 && t('someFailed', { count: failed.length })}
        </Title>
      </div>
      {running && (
        <>
          <ProgressBar value={(ended / total) * 100} aria-label={t('stepRun')} />
          <Alert color="gray" py="xs">
            {t('stay')}
          </Alert>
        </>
      )}
      <ul className={classes.results}>
        {closing.classes.map((one) => (
          <Result key={one.id} of={one} progress={of(one.id)} archived={closing.action === 'archive'} />
        ))}
      </ul>
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

interface ResultProps {
  readonly of: ClassSummary;
  readonly progress: ClosingProgress;
  readonly archived: boolean;
}

function Result({ of, progress, archived }: ResultProps) {
  const t = useTexts(texts);
  const failureText = useFailureText();
  return (
    <li className={classes.result}>
      <span className={classes.className}>{`${of.gradeName} ${of.name}`}</span>
      {progress.state === 'waiting' && <span className={classes.counts}>{t('stateWaiting')}</span>}
      {progress.state === 'running' && <Loader size="xs" role="img" aria-label={t('stateRunning')} />}
      {progress.state === 'done' && (
        <>
          <span className={classes.counts}>
            {t('stateDone', {
              students: t('studentCount', { count: progress.term.students }),
              records: t('recordCount', { count: progress.term.records }),
            })}
          </span>
          {archived && (
            <Anchor
              renderRoot={(props) => (
                <Link to="/terms" search={(before) => ({ ...before, term: progress.term.id })} {...props} />
              )}
              size="sm"
            >
              {t('show')}
            </Anchor>
          )}
          <IconCheck aria-hidden size={18} color="var(--app-plus)" />
        </>
      )}
      {progress.state === 'failed' && <span className={classes.failure}>{failureText(progress.error)}</span>}
    </li>
  );
}

function useClosing({ action, name }: TermClosing, onRunning: (running: boolean) => void) {
  const { schoolDb } = useSchool();
  const client = useQueryClient();
  const [progress, setProgress] = useState<ReadonlyMap<number, ClosingProgress>>(new Map());
  const [running, setRunning] = useState(true);
  const [closer] = useState(
    () =>
      new TermCloser(async (classId, idempotencyKey) => {
        const body = { schoolDb, classId, action, name };
        const { term, ...counts } = await call('switchTerm', { body, idempotencyKey });
        return { id: term.id, students: counts.students, records: counts.records };
      }),
  );
  const run = async (classIds: readonly number[]) => {
    setRunning(true);
    onRunning(true);
    await closer.closeAll(classIds, (id, one) => setProgress((before) => new Map(before).set(id, one)));
    setRunning(false);
    onRunning(false);
    await invalidateStaleReads(client, ['switchTerm']);
  };
  return { progress, running, run: (classIds: readonly number[]) => void run(classIds) };
}
