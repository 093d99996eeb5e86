import { UnstyledButton } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useTexts } from '../../i18n/texts.ts';
import classes from './Lists.module.css';
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
  const present = steps.indexOf(active);
  return (
    <nav aria-label={t('steps')}>
      <ol className={classes.steps}>
        {steps.map((step, index) => {
          const done = index < present;
          const content = (
            <>
              <span className={classes.number}>
                {done ? <IconCheck aria-hidden size={15} stroke={2.4} /> : index + 1}
              </span>
              <span className={classes.label}>{labels[step]}</span>
            </>
          );
          return (
            <li key={step}>
              {done && onBack ? (
                <UnstyledButton className={classes.step ?? ''} data-done="" onClick={() => onBack(step)}>
                  {content}
                </UnstyledButton>
              ) : (
                <span
                  className={classes.step}
                  {...(step === active && { 'aria-current': 'step' as const })}
                  {...(done && { 'data-done': '' })}
                >
                  {content}
                </span>
              )}
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
