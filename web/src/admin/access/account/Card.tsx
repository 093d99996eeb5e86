import { Text, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import classes from './AccountPage.module.css';

interface CardProps {
  readonly title: string;
  readonly text?: string;
  readonly children: ReactNode;
}

export function Card({ title, text, children }: CardProps) {
  const id = useId();
  return (
    <section className={classes.card} aria-labelledby={id}>
      <Title order={2} size="h3" id={id}>
        {title}
      </Title>
      {text !== undefined && (
        <Text size="sm" c="dimmed" mt={2}>
          {text}
        </Text>
      )}
      {children}
    </section>
  );
}
