import { useTexts } from '../../i18n/texts.ts';
import { Steps } from '../Steps.tsx';
import { texts } from './texts.ts';

/** The steps of an import, in their order. */
export const listSteps = ['list', 'columns', 'check', 'import'] as const;
export type ListStep = (typeof listSteps)[number];

interface StepListProps {
  /** Unless it is all of them. */
  readonly steps?: readonly ListStep[];
  readonly active: ListStep;
  /** What the last one is called, unless it is an import. */
  readonly lastStep?: string;
  /** Null while there is no way back. */
  readonly onBack: ((step: ListStep) => void) | null;
}

/** Where in the import one is; steps that are done lead back. */
export function StepList({ steps = listSteps, active, lastStep, onBack }: StepListProps) {
  const t = useTexts(texts);
  const labels = {
    list: t('stepList'),
    columns: t('stepColumns'),
    check: t('stepCheck'),
    import: lastStep ?? t('import'),
  };
  return (
    <Steps
      label={t('steps')}
      steps={steps.map((step) => ({ step, label: labels[step] }))}
      active={active}
      onBack={onBack}
    />
  );
}
