import { type ReactNode, useId } from 'react';
import classes from './Card.module.css';

interface CardProps {
  readonly title: string;
  readonly aside?: ReactNode;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

export function Card({ title, aside, className = '', children }: CardProps) {
  const id = useId();
  return (
    <section className={`${classes.card} ${className}`} aria-labelledby={id}>
      <div className={classes.head}>
        <h2 id={id} className={classes.title}>
          {title}
        </h2>
        {aside !== undefined && <span className={classes.aside}>{aside}</span>}
      </div>
      {children}
    </section>
  );
}
