import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ConfirmDialog } from '../../../components/ConfirmDialog.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import type { RunProgress } from '../../lists/list-run.ts';
import { RefusedRows } from '../../lists/RefusedRows.tsx';
import { RunStatus } from '../../lists/RunStatus.tsx';
import { ManyPasswords } from '../passwords/ManyPasswords.tsx';
import { Notice } from '../passwords/Notice.tsx';
import { texts as passwordTexts } from '../passwords/texts.ts';
import { texts } from './texts.ts';
import type { useImportRun } from './use-import-run.ts';
import { useRefusalText } from './use-problem-text.ts';

type Importing = ReturnType<typeof useImportRun>;

interface RunStepProps {
  readonly importing: Importing;
  readonly active: NonNullable<Importing['active']>;
  readonly progress: RunProgress;
  readonly onAgain: () => void;
}

export function RunStep(props: RunStepProps) {
  const { importing, active, progress, onAgain } = props;
  const { id, passwords, saved, onSaved } = importing;
  const t = useTexts(texts);
  const finished = progress.state === 'finished';
  const settled = finished || progress.state === 'paused';
  const createdCount = progress.created.length;
  return (
    <Stack>
      <RunStatus title={t('importing')} active={active} progress={progress} onGiveUp={onAgain} />
      {finished && (
        <output>
          <Notice icon={IconCircleCheck} tone="good" title={t('imported')}>
            {(createdCount > 0 || progress.changed + progress.missing === 0) && (
              <Text>{t('created', { count: createdCount })}</Text>
            )}
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

function LeftOut({ active, progress }: RunStepProps) {
  const refusalText = useRefusalText();
  return (
    <RefusedRows
      rows={[
        ...active.stored.left,
        ...progress.refused.map((refused) => ({ row: refused.row, reason: refusalText(refused) })),
      ]}
    />
  );
}
