import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconDownload } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ConfirmDialog } from '../../../components/ConfirmDialog.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { saveTable } from '../../../spreadsheets/write-table.ts';
import type { RunProgress } from '../../lists/list-run.ts';
import { RunningBar } from '../../lists/RunningBar.tsx';
import { ManyPasswords } from '../passwords/ManyPasswords.tsx';
import { Notice } from '../passwords/Notice.tsx';
import { texts as passwordTexts } from '../passwords/texts.ts';
import { texts } from './texts.ts';
import type { useImportRun } from './use-import-run.ts';
import { useProblemText, useRefusalText } from './use-problem-text.ts';

type Importing = ReturnType<typeof useImportRun>;

interface RunStepProps {
  readonly importing: Importing;
  readonly active: NonNullable<Importing['active']>;
  readonly progress: RunProgress;
  readonly onAgain: () => void;
}

/** The last step: the import itself, and what became of it. */
export function RunStep(props: RunStepProps) {
  const { importing, active, progress, onAgain } = props;
  const { id, passwords, saved, onSaved } = importing;
  const t = useTexts(texts);
  const finished = progress.state === 'finished';
  const settled = finished || progress.state === 'paused';
  return (
    <Stack>
      {active.isResumed && progress.done === 0 && progress.error === null && (
        <Interrupted onAgain={onAgain} />
      )}
      {!finished && <RunningBar title={t('importing')} run={active.run} progress={progress} />}
      {finished && (
        <output>
          <Notice icon={IconCircleCheck} tone="good" title={t('imported')}>
            <Text>{t('created', { count: progress.created.length })}</Text>
            {progress.changed > 0 && <Text>{t('changedCount', { count: progress.changed })}</Text>}
            {progress.missing > 0 && <Text>{t('missingCount', { count: progress.missing })}</Text>}
            {id !== null && (
              <Anchor
                renderRoot={(own) => (
                  <Link to="/imports/$importId" params={{ importId: String(id) }} {...own} />
                )}
              >
                {t('showRun')}
              </Anchor>
            )}
          </Notice>
        </output>
      )}
      {settled && passwords.length > 0 && (
        <ManyPasswords passwords={passwords} saved={saved} onSaved={onSaved} />
      )}
      {finished && <LeftOut {...props} />}
      {finished && (
        <Group justify="flex-end">
          <Again atRisk={!saved} onAgain={onAgain} />
          <Button component={Link} to="/students">
            {t('showStudents')}
          </Button>
        </Group>
      )}
    </Stack>
  );
}

/** Begins with another list; asks before passwords would be lost. */
function Again({ atRisk, onAgain }: { readonly atRisk: boolean; readonly onAgain: () => void }) {
  const t = useTexts(texts);
  const p = useTexts(passwordTexts);
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button variant="default" onClick={() => (atRisk ? setAsking(true) : onAgain())}>
        {t('importMore')}
      </Button>
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={p('leaveTitle')}
        confirmLabel={p('leave')}
        danger
        onConfirm={onAgain}
      >
        {p('leaveText')}
      </ConfirmDialog>
    </>
  );
}

/** The page was loaded again in the midst of a run. */
function Interrupted({ onAgain }: { readonly onAgain: () => void }) {
  const t = useTexts(texts);
  return (
    <Notice icon={IconAlertTriangle} tone="attention" title={t('interruptedTitle')}>
      <Text>{t('interrupted')}</Text>
      <div>
        <Button variant="default" onClick={onAgain}>
          {t('giveUp')}
        </Button>
      </div>
    </Notice>
  );
}

function LeftOut({ active, progress }: RunStepProps) {
  const t = useTexts(texts);
  const problemText = useProblemText();
  const refusalText = useRefusalText();
  const failed = [
    ...active.kept.left.map((row) => ({ row, reason: problemText(row) })),
    ...progress.refused.map((refused) => ({ row: refused.row, reason: refusalText(refused) })),
  ].sort((a, b) => (a.row.line || Infinity) - (b.row.line || Infinity));
  if (failed.length === 0) return null;
  const save = () =>
    void saveTable(
      t('failedName'),
      {
        header: [t('line'), t('username'), t('fieldName'), t('class'), t('reason')],
        rows: failed.map(({ row, reason }) => [
          row.line || '',
          row.username,
          row.actualName,
          row.classLabel,
          reason,
        ]),
      },
      'xlsx',
    );
  return (
    <Notice icon={IconAlertTriangle} tone="attention" title={t('failedRows', { count: failed.length })}>
      <div>
        {failed.slice(0, 5).map(({ row, reason }) => (
          <Text key={row.line || row.username} size="sm">
            {row.line > 0 && `${t('line')} ${row.line}: `}
            <b>{row.username}</b> {reason}
          </Text>
        ))}
        {failed.length > 5 && <Text size="sm">…</Text>}
      </div>
      <Button variant="default" leftSection={<IconDownload aria-hidden size={16} />} onClick={save}>
        {t('downloadFailed')}
      </Button>
    </Notice>
  );
}
