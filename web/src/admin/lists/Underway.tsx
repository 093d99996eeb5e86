import { useTexts } from '../../i18n/texts.ts';
import { Interrupted } from './Interrupted.tsx';
import type { RunProgress } from './list-run.ts';
import { RunningBar } from './RunningBar.tsx';
import { texts } from './texts.ts';
import type { ActiveRun } from './use-kept-run.ts';

interface UnderwayProps {
  readonly title: string;
  readonly active: ActiveRun;
  readonly progress: RunProgress;
  /** Forgets the run that the page found after a reload. */
  readonly onGiveUp: () => void;
}

/** Shows a run until it is finished, and what happened to it after a reload. */
export function Underway({ title, active, progress, onGiveUp }: UnderwayProps) {
  const t = useTexts(texts);
  const { state, done, error } = progress;
  const { run, isResumed, kept } = active;
  if (state === 'finished') return null;
  const wasFinished = kept.isFinished === true;
  return (
    <>
      {isResumed && done === 0 && error === null && (state === 'paused' || !wasFinished) && (
        <Interrupted wasFinished={wasFinished} run={run} onGiveUp={onGiveUp} />
      )}
      {/* A run that was finished before the reload does not restart from zero. */}
      {!(wasFinished && state === 'paused' && error === null) && (
        <RunningBar title={wasFinished ? t('readingResult') : title} run={run} progress={progress} />
      )}
    </>
  );
}
