import type { ListedStudent } from '@classledger/contract';
import { Button, Group, List, Modal, Progress, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { invalidateStaleReads } from '../../../../api/stale-reads.ts';
import { ConfirmDialog } from '../../../../components/ConfirmDialog.tsx';
import { useFailureText } from '../../../../components/failure-text.ts';
import { UnsavedChangesGuard } from '../../../../components/UnsavedChangesGuard.tsx';
import { useTexts } from '../../../../i18n/texts.ts';
import { useSchool } from '../../../school.tsx';
import { texts } from '../../actions/texts.ts';
import type { InitialPassword } from '../../passwords/initial-password.ts';
import { ManyPasswords } from '../../passwords/ManyPasswords.tsx';
import { texts as passwordTexts } from '../../passwords/texts.ts';
import { type BulkAction, bulkGroupsOf, runBulkGroup } from './bulk-kinds.ts';
import { runEach, StoppedByUser } from './run-each.ts';

interface BulkRunDialogProps {
  readonly order: BulkAction;
  /** Called with the students who were not changed. */
  readonly onClose: (left: readonly ListedStudent[]) => void;
}

interface Failed {
  readonly student: ListedStudent;
  readonly error: unknown;
}

const parallelRequests = 4;
const shownFailures = 100;

export function BulkRunDialog({ order, onClose }: BulkRunDialogProps) {
  const t = useTexts(texts);
  const p = useTexts(passwordTexts);
  const run = useBulkRun(order);
  // Number of passwords that the user has saved. A retry of failed students makes more.
  const [savedCount, setSavedCount] = useState(0);
  const [leaving, setLeaving] = useState(false);
  const { finished, total, running, failed, doneCount, keptCount, passwords } = run;
  const saved = savedCount >= passwords.length;
  const close = () => {
    if (running) return;
    if (!saved) setLeaving(true);
    else onClose(failed.map(({ student }) => student));
  };
  const titles = {
    move: t('bulkMove', { count: order.students.length }),
    enable: t('enable'),
    disable: t('disable'),
    resetPasswords: t('resetPassword'),
    delete: t('delete'),
  };
  return (
    <>
      <Modal
        opened
        onClose={close}
        title={titles[order.kind]}
        size={720}
        closeOnClickOutside={false}
        // Escape would otherwise close both this dialog and the question whether to leave.
        closeOnEscape={!running && saved}
        withCloseButton={!running}
      >
        <Stack>
          {running && (
            <>
              <Progress
                value={(100 * finished) / Math.max(1, total)}
                aria-label={titles[order.kind]}
                animated
              />
              <Group justify="space-between">
                <Text size="sm" c="dimmed">
                  {t('running', { done: finished, total })}
                </Text>
                <Button variant="default" onClick={run.stop}>
                  {t('stop')}
                </Button>
              </Group>
            </>
          )}
          <Text role="status" fw={600}>
            {running ? '' : t('doneOf', { count: doneCount })}
          </Text>
          {!running && keptCount > 0 && <Text size="sm">{t('keptOwn', { count: keptCount })}</Text>}
          {!running && failed.length > 0 && <Failures failed={failed} />}
          {!running && passwords.length > 0 && (
            <ManyPasswords passwords={passwords} saved={saved} onSaved={setSavedCount} />
          )}
          {!running && (
            <Group justify="flex-end">
              {failed.length > 0 && (
                <Button variant="default" onClick={run.retry}>
                  {t('tryRest')}
                </Button>
              )}
              <Button onClick={close}>{t('done')}</Button>
            </Group>
          )}
        </Stack>
      </Modal>
      <ConfirmDialog
        opened={leaving}
        onClose={() => setLeaving(false)}
        title={p('leaveTitle')}
        confirmLabel={p('leave')}
        danger
        onConfirm={() => onClose(failed.map(({ student }) => student))}
      >
        {p('leaveText')}
      </ConfirmDialog>
      <UnsavedChangesGuard
        active={running || !saved}
        {...(running || saved
          ? {
              title: t('leaveRunTitle'),
              text: t(order.kind === 'resetPasswords' ? 'leaveResetText' : 'leaveRunText'),
            }
          : { title: p('leaveTitle'), text: p('leaveText') })}
        confirmLabel={p('leave')}
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

function useBulkRun(order: BulkAction) {
  const { schoolDb } = useSchool();
  const client = useQueryClient();
  const stopped = useRef(false);
  const started = useRef(false);
  const [total, setTotal] = useState(order.students.length);
  const [finished, setFinished] = useState(0);
  const [running, setRunning] = useState(true);
  const [failed, setFailed] = useState<readonly Failed[]>([]);
  const [doneCount, setDoneCount] = useState(0);
  const [keptCount, setKeptCount] = useState(0);
  const [passwords, setPasswords] = useState<readonly InitialPassword[]>([]);

  const start = async (students: readonly ListedStudent[]) => {
    stopped.current = false;
    setTotal(students.length);
    setFinished(0);
    setRunning(true);
    const groups = bulkGroupsOf(order.kind, students);
    const outcomes = await runEach(groups, (group) => runBulkGroup(schoolDb, order, group), {
      parallelMax: parallelRequests,
      onProgress: (done) =>
        setFinished(Math.min(students.length, Math.round((done * students.length) / groups.length))),
      isStopped: () => stopped.current,
    });
    const done = outcomes.flatMap((outcome) => ('done' in outcome ? [outcome] : []));
    const made = done.flatMap((outcome) => outcome.done);
    const reached = done.flatMap(({ item }) => item.students);
    setFailed(
      outcomes.flatMap((outcome) =>
        'done' in outcome ? [] : outcome.item.students.map((student) => ({ student, error: outcome.error })),
      ),
    );
    const keptOwn = order.kind === 'resetPasswords' ? reached.length - made.length : 0;
    setDoneCount((before) => before + reached.length - keptOwn);
    setKeptCount((before) => before + keptOwn);
    setPasswords((before) => [...before, ...made]);
    setRunning(false);
    void invalidateStaleReads(client, ['updateUser', 'resetUserPasswords', 'deleteUser']);
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, for one order
  useEffect(() => {
    const stop = () => {
      stopped.current = true;
    };
    stopped.current = false;
    // Runs the order only once, although React runs effects twice in development.
    if (started.current) return stop;
    started.current = true;
    void start(order.students);
    return stop;
  }, []);

  return {
    total,
    finished,
    running,
    failed,
    doneCount,
    keptCount,
    passwords,
    stop: () => {
      stopped.current = true;
    },
    retry: () => void start(failed.map(({ student }) => student)),
  };
}
