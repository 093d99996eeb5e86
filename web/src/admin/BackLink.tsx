import { Anchor } from '@mantine/core';
import { IconChevronLeft } from '@tabler/icons-react';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import classes from './BackLink.module.css';

interface BackLinkProps {
  readonly to: NonNullable<LinkProps['to']>;
  readonly children: ReactNode;
}

/** The way back from a page below another. */
export function BackLink({ to, children }: BackLinkProps) {
  return (
    <Anchor
      renderRoot={(props) => <Link to={to} {...props} />}
      size="sm"
      className={`${classes.back} no-print`}
    >
      <IconChevronLeft aria-hidden size={16} />
      {children}
    </Anchor>
  );
}
