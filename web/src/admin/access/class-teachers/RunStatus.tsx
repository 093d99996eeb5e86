import { useTexts } from '../../../i18n/texts.ts';
import { InterruptedRun } from './InterruptedRun.tsx';
import type { RunProgress } from './list-run.ts';
import { RunningBar } from './RunningBar.tsx';
import { texts } from './texts.ts';
import type { ActiveRun } from './use-teacher-run.ts';

interface RunStatusProps {
  readonly title: string;
  readonly active: ActiveRun;
  readonly progress: RunProgress;
  /** Called when the user discards the run that the page found after a reload. */
  readonly onGiveUp: () => void;
}

export function RunStatus({ title, active, progress, onGiveUp }: RunStatusProps) {
  const t = useTexts(texts);
  const { state, done, error } = progress;
  const { run, isResumed, stored } = active;
  if (state === 'finished') return null;
  const wasFinished = stored.isFinished === true;
  return (
    <>
      {isResumed && done === 0 && error === null && (state === 'paused' || !wasFinished) && (
        <InterruptedRun wasFinished={wasFinished} run={run} onGiveUp={onGiveUp} />
      )}
      {/* Hidden for a run that was finished before the reload, because its progress would start from zero. */}
      {!(wasFinished && state === 'paused' && error === null) && (
        <RunningBar title={wasFinished ? t('readingResult') : title} run={run} progress={progress} />
      )}
    </>
  );
}
