import type { ListedStudent } from '@classledger/contract';
import { Button, Group, List, Modal, Progress, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { invalidateStaleReads } from '../../../../api/stale-reads.ts';
import { useFailureText } from '../../../../components/failure-text.ts';
import { Hint } from '../../../../components/Hint.tsx';
import { UnsavedChangesGuard } from '../../../../components/UnsavedChangesGuard.tsx';
import { useTexts } from '../../../../i18n/texts.ts';
import { useSchool } from '../../../school.tsx';
import { texts } from '../../actions/texts.ts';
import type { InitialPassword } from '../../passwords/initial-password.ts';
import { ManyPasswords } from '../../passwords/ManyPasswords.tsx';
import { texts as passwordTexts } from '../../passwords/texts.ts';
import { type BulkAction, bulkGroupsOf, runBulkGroup, runEach, StoppedByUser } from './bulk-run.ts';

interface BulkRunDialogProps {
  readonly action: BulkAction;
  readonly title: string;
  readonly onClose: (left: readonly ListedStudent[]) => void;
}

interface Failed {
  readonly student: ListedStudent;
  readonly error: unknown;
}

const parallelRequests = 4;
const shownFailures = 100;

export function BulkRunDialog({ action, title, onClose }: BulkRunDialogProps) {
  const t = useTexts(texts);
  const p = useTexts(passwordTexts);
  const run = useBulkRun(action);
  // Number of passwords that the user has saved. A retry of failed students makes more.
  const [savedCount, setSavedCount] = useState(0);
  const [leaving, setLeaving] = useState(false);
  const { finished, total, running, failed, doneCount, keptCount, passwords } = run;
  const saved = savedCount >= passwords.length;
  const leave = () => onClose(failed.map(({ student }) => student));
  const close = () => {
    if (running) return;
    if (saved) leave();
    else setLeaving(true);
  };
  return (
    <>
      <Modal
        opened
        onClose={close}
        title={title}
        size={720}
        closeOnClickOutside={false}
        // Escape would otherwise close both this dialog and the question whether to leave.
        closeOnEscape={!running && saved}
        withCloseButton={!running}
      >
        <Stack>
          {running && (
            <>
              <Progress value={(100 * finished) / Math.max(1, total)} aria-label={title} animated />
              <Group justify="space-between">
                <Hint>{t('running', { done: finished, total })}</Hint>
                <Button variant="default" onClick={run.stop}>
                  {t('stop')}
                </Button>
              </Group>
            </>
          )}
          <Text role="status" fw={600}>
            {running ? '' : t('doneOf', { count: doneCount })}
          </Text>
          {!running && (
            <>
              {keptCount > 0 && <Text size="sm">{t('keptOwn', { count: keptCount })}</Text>}
              {failed.length > 0 && <Failures failed={failed} />}
              {passwords.length > 0 && (
                <ManyPasswords passwords={passwords} saved={saved} onSaved={setSavedCount} />
              )}
              <Group justify="flex-end">
                {failed.length > 0 && (
                  <Button variant="default" onClick={run.retry}>
                    {t('tryRest')}
                  </Button>
                )}
                <Button onClick={close}>{t('done')}</Button>
              </Group>
            </>
          )}
        </Stack>
      </Modal>
      <UnsavedChangesGuard
        active={running || !saved}
        {...(running || saved
          ? {
              title: t('leaveRunTitle'),
              text: t(action.kind === 'resetPasswords' ? 'leaveResetText' : 'leaveRunText'),
            }
          : { title: p('leaveTitle'), text: p('leaveText') })}
        confirmLabel={p('leave')}
        closing={{ isAsked: leaving, onStay: () => setLeaving(false), onLeave: leave }}
      />
    </>
  );
}

function Failures({ failed }: { readonly failed: readonly Failed[] }) {
  const t = useTexts(texts);
  const failureText = useFailureText();
  return (
    <Stack gap={4} role="alert">
      <Text size="sm">{t('notDone', { count: failed.length })}</Text>
      <List size="sm">
        {failed.slice(0, shownFailures).map(({ student, error }) => (
          <List.Item key={student.id}>
            <b>{student.actualName}</b> ({student.username}):{' '}
            {error instanceof StoppedByUser ? t('stopped') : failureText(error)}
          </List.Item>
        ))}
      </List>
    </Stack>
  );
}

function useBulkRun({ kind, students: all, ...action }: BulkAction) {
  const { schoolDb } = useSchool();
  const client = useQueryClient();
  const stopped = useRef(false);
  const [progress, setProgress] = useState({ finished: 0, total: all.length, running: true });
  const [reached, setReached] = useState<readonly ListedStudent[]>([]);
  const [failed, setFailed] = useState<readonly Failed[]>([]);
  const [passwords, setPasswords] = useState<readonly InitialPassword[]>([]);

  const start = async (students: readonly ListedStudent[]) => {
    const { length: total } = students;
    stopped.current = false;
    setProgress({ finished: 0, total, running: true });
    const groups = bulkGroupsOf(kind, students);
    const outcomes = await runEach(groups, (group) => runBulkGroup(schoolDb, { kind, ...action }, group), {
      parallelMax: parallelRequests,
      onProgress: (done) => {
        const finished = Math.min(total, Math.round((done * total) / groups.length));
        setProgress({ finished, total, running: true });
      },
      isStopped: () => stopped.current,
    });
    const done = outcomes.flatMap((outcome) => ('done' in outcome ? [outcome] : []));
    setReached((before) => [...before, ...done.flatMap(({ item }) => item.students)]);
    setPasswords((before) => [...before, ...done.flatMap((outcome) => outcome.done)]);
    setFailed(
      outcomes.flatMap((outcome) =>
        'done' in outcome ? [] : outcome.item.students.map((student) => ({ student, error: outcome.error })),
      ),
    );
    setProgress({ finished: total, total, running: false });
    void invalidateStaleReads(client, ['updateUser', 'resetUserPasswords', 'deleteUser']);
  };
  const stop = () => {
    stopped.current = true;
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, for one action
  useEffect(() => {
    // Delayed, because React runs effects twice in development.
    const first = setTimeout(() => void start(all), 0);
    return () => {
      clearTimeout(first);
      stop();
    };
  }, []);

  const keptCount = kind === 'resetPasswords' ? reached.length - passwords.length : 0;
  const retry = () => void start(failed.map(({ student }) => student));
  return { ...progress, failed, doneCount: reached.length - keptCount, keptCount, passwords, stop, retry };
}
