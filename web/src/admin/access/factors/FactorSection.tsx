import { Group } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './SecondFactor.module.css';

interface FactorSectionProps {
  readonly title: string;
  readonly about: string;
  readonly actions: ReactNode;
  readonly children?: ReactNode;
}

export const setUpButtonProps = (isNeeded: boolean) =>
  isNeeded ? ({ variant: 'filled', size: 'sm' } as const) : ({ variant: 'default', size: 'xs' } as const);

export function FactorSection({ title, about, actions, children }: FactorSectionProps) {
  return (
    <div className={classes.part}>
      <div className={classes.line}>
        <div className={classes.text}>
          <h3 className={classes.title}>{title}</h3>
          <p className={classes.about}>{about}</p>
        </div>
        <Group gap="xs">{actions}</Group>
      </div>
      {children}
    </div>
  );
}
