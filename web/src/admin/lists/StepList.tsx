import { useTexts } from '../../i18n/texts.ts';
import { Steps } from '../Steps.tsx';
import { texts } from './texts.ts';

export const listSteps = ['list', 'columns', 'check', 'import'] as const;
export type ListStep = (typeof listSteps)[number];

interface StepListProps {
  readonly steps?: readonly ListStep[];
  readonly active: ListStep;
  readonly lastStep?: string;
  readonly onBack: ((step: ListStep) => void) | null;
}

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
