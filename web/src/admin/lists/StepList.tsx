import { useTexts } from '../../i18n/texts.ts';
import { Steps } from '../Steps.tsx';
import { texts } from './texts.ts';

/** In order. */
export const listSteps = ['list', 'columns', 'check', 'import'] as const;
export type ListStep = (typeof listSteps)[number];

interface StepListProps {
  /** All steps by default. */
  readonly steps?: readonly ListStep[];
  readonly active: ListStep;
  /** Label of the last step, if it is no import. */
  readonly lastStep?: string;
  /** Null when the person cannot go back. */
  readonly onBack: ((step: ListStep) => void) | null;
}

/** Shows the current step of an import; completed steps lead back. */
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
