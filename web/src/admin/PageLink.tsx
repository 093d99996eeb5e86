import { Anchor, type AnchorProps, type ElementProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ReactNode } from 'react';

/** A link to another page, with the properties of Mantine's `Anchor`. */
export const PageLink = createLink((props: AnchorProps & ElementProps<'a', keyof AnchorProps>) => (
  <Anchor {...props} />
));

interface StudentLinkProps extends AnchorProps {
  readonly id: number;
  readonly children: ReactNode;
}

/** A link to a student's page that looks like the text around it. */
export function StudentLink({ id, ...look }: StudentLinkProps) {
  const params = { studentId: String(id) };
  return <PageLink to="/students/$studentId" params={params} c="inherit" fz="inherit" {...look} />;
}
