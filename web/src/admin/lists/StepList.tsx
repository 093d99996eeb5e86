import { useTexts } from '../../i18n/texts.ts';
import { Steps } from '../Steps.tsx';
import { texts } from './texts.ts';

export type ListStep = 'list' | 'columns' | 'check' | 'assign';

interface StepListProps {
  readonly steps: readonly ListStep[];
  readonly active: ListStep;
  readonly onBack: ((step: ListStep) => void) | null;
}

export function StepList({ steps, ...present }: StepListProps) {
  const t = useTexts(texts);
  const named = steps.map((step) => ({ step, label: t(`step_${step}`) }));
  return <Steps label={t('steps')} steps={named} {...present} />;
}
