import { Paper } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { Hint } from '../../components/Hint.tsx';
import { Heading } from './Page.tsx';

interface SectionProps {
  readonly title: string;
  readonly text?: string;
  readonly children: ReactNode;
}

export function Section({ title, text, children }: SectionProps) {
  const id = useId();
  return (
    <Paper
      component="section"
      p={{ base: 'md', xs: '20px 24px 24px' }}
      bd="1px solid var(--app-line)"
      aria-labelledby={id}
    >
      <Heading id={id}>{title}</Heading>
      {text !== undefined && <Hint mt={2}>{text}</Hint>}
      {children}
    </Paper>
  );
}
