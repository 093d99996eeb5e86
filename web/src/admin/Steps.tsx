import { UnstyledButton } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import classes from './Steps.module.css';

interface StepsProps<Step extends string> {
  readonly label: string;
  readonly steps: readonly { readonly step: Step; readonly label: string }[];
  readonly active: Step;
  readonly onBack: ((step: Step) => void) | null;
}

export function Steps<Step extends string>({ label, steps, active, onBack }: StepsProps<Step>) {
  const present = steps.findIndex(({ step }) => step === active);
  return (
    <nav aria-label={label}>
      <ol className={`plain-list ${classes.steps}`}>
        {steps.map(({ step, label: name }, index) => {
          const done = index < present;
          const content = (
            <>
              <span className={classes.number}>
                {done ? <IconCheck aria-hidden size={15} stroke={2.4} /> : index + 1}
              </span>
              <span className={step === active ? undefined : 'words-on-wide'}>{name}</span>
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
