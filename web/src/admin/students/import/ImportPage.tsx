import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { call, newIdempotencyKey } from '../../../api/call.ts';
import { outdate } from '../../../api/outdated.ts';
import { useOperation } from '../../../api/queries.ts';
import { LeaveGuard } from '../../../components/LeaveGuard.tsx';
import { PageHeader } from '../../../components/PageHeader.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { useMe } from '../../me.ts';
import { useSchool } from '../../school.tsx';
import { BackToStudents } from '../BackToStudents.tsx';
import type { InitialPassword } from '../passwords/initial-password.ts';
import { texts as passwordTexts } from '../passwords/texts.ts';
import { CheckStep } from './CheckStep.tsx';
import { ColumnsStep } from './ColumnsStep.tsx';
import { emptyDraft, type ImportDraft, withList } from './import-draft.ts';
import { type Batch, type ImportProgress, ImportRun } from './import-run.ts';
import { ListStep } from './ListStep.tsx';
import { batchesOf, partsOf, planImport } from './plan-import.ts';
import { RunStep } from './RunStep.tsx';
import { type ImportStep, StepList } from './StepList.tsx';
import { texts } from './texts.ts';
import { useTakenUsernames } from './use-taken-usernames.ts';

/** Imports many students in four steps. What was set in one of them is kept when one goes back. */
export function ImportPage() {
  const t = useTexts(texts);
  const me = useMe();
  const { schoolDb } = useSchool();
  const client = useQueryClient();
  const [step, setStep] = useState<ImportStep>('list');
  const [draft, setDraft] = useState<ImportDraft>(() => emptyDraft(me.classId));
  const [run, setRun] = useState<ImportRun | null>(null);
  const progress = useProgress(run);
  // How many of the passwords: after a pause there are more.
  const [savedCount, setSavedCount] = useState(0);
  const classes = useOperation('listSchoolClasses', { query: { schoolDb } });
  const taken = useTakenUsernames();
  const change = (changed: Partial<ImportDraft>) => setDraft((before) => ({ ...before, ...changed }));

  const { list, hasHeader, headerIndex } = draft;
  const parts = useMemo(
    () => partsOf(list?.rows ?? [], { hasHeader, headerIndex }),
    [list, hasHeader, headerIndex],
  );
  const plan = useMemo(
    () =>
      planImport({
        rows: parts.students,
        mapping: draft.mapping,
        classes: classes.data ?? [],
        defaultClassId: draft.defaultClassId,
        taken: taken.data ?? new Set(),
      }),
    [parts, draft.mapping, draft.defaultClassId, classes.data, taken.data],
  );
  // What was planned when the import began; afterwards its usernames are taken.
  const planned = useRef(plan);
  const passwords = useMemo(() => passwordsOf(progress), [progress]);
  const saved = savedCount >= passwords.length;
  const start = () => {
    planned.current = plan;
    const send = async ({ classId, rows, key }: Batch) => {
      const data = await call('createUsers', {
        body: {
          schoolDb,
          classId,
          students: rows.map(({ username, actualName }) => ({ username, actualName })),
        },
        idempotencyKey: key,
      });
      if (!('details' in data)) throw new Error('A batch is answered by details');
      return data;
    };
    const next = new ImportRun(
      batchesOf(plan).map((batch) => ({ ...batch, key: newIdempotencyKey() })),
      send,
    );
    setRun(next);
    setSavedCount(0);
    setStep('import');
    void next.goOn();
  };
  const finished = progress?.state === 'finished';
  useEffect(() => {
    if (finished) void outdate(client, ['createUsers']);
  }, [finished, client]);
  const again = () => {
    setRun(null);
    setDraft(emptyDraft(me.classId));
    setStep('list');
  };
  return (
    <>
      <BackToStudents />
      <PageHeader title={t('title')} description={t('description')} />
      <StepList active={step} onBack={step === 'import' ? null : setStep} />
      {step === 'list' && (
        <ListStep
          draft={draft}
          onChange={change}
          onList={(name, sheet) => {
            setDraft((before) => withList(before, name, sheet));
            setStep('columns');
          }}
        />
      )}
      {step === 'columns' && (
        <ColumnsStep
          draft={draft}
          onChange={change}
          onBack={() => setStep('list')}
          onNext={() => setStep('check')}
        />
      )}
      {step === 'check' && (
        <CheckStep
          plan={plan}
          above={parts.above}
          zerosMayLack={list?.paddedColumns.has(draft.mapping.username ?? -1) ?? false}
          isGuess={list?.isGuess ?? false}
          taken={taken}
          onBack={() => setStep('columns')}
          onStart={start}
        />
      )}
      {step === 'import' && run && progress && (
        <RunStep
          run={run}
          progress={progress}
          problems={planned.current.filter(({ problem }) => problem !== null)}
          passwords={passwords}
          saved={saved}
          onSaved={setSavedCount}
          onAgain={again}
        />
      )}
      <ImportLeaveGuard draft={draft} progress={progress} passwordsAtRisk={!saved} />
    </>
  );
}

const passwordsOf = (progress: ImportProgress | null): InitialPassword[] =>
  (progress?.created ?? []).map(({ row: { actualName, username, classLabel }, ...made }) => ({
    name: actualName,
    username,
    classLabel,
    ...made,
  }));

const nothing = () => () => {};

function useProgress(run: ImportRun | null): ImportProgress | null {
  return useSyncExternalStore(run?.subscribe ?? nothing, () => run?.get() ?? null);
}

interface ImportLeaveGuardProps {
  readonly draft: ImportDraft;
  readonly progress: ImportProgress | null;
  readonly passwordsAtRisk: boolean;
}

/** Asks before an unfinished import, or passwords that no one has saved, are left. */
function ImportLeaveGuard({ draft, progress, passwordsAtRisk }: ImportLeaveGuardProps) {
  const t = useTexts(texts);
  const p = useTexts(passwordTexts);
  if (progress && progress.state !== 'finished') {
    return (
      <LeaveGuard active title={t('leaveTitle')} text={t('leaveRunningText')} confirmLabel={t('leave')} />
    );
  }
  if (progress) {
    return (
      <LeaveGuard
        active={passwordsAtRisk}
        title={p('leaveTitle')}
        text={p('leaveText')}
        confirmLabel={p('leave')}
      />
    );
  }
  return (
    <LeaveGuard
      active={draft.list !== null || draft.pasted !== ''}
      title={t('leaveTitle')}
      text={t('leaveText')}
      confirmLabel={t('leave')}
    />
  );
}
