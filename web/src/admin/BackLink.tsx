import { Anchor } from '@mantine/core';
import { IconChevronLeft } from '@tabler/icons-react';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import classes from './BackLink.module.css';

export interface BackLinkProps {
  readonly to: NonNullable<LinkProps['to']>;
  readonly search?: LinkProps['search'] | undefined;
  readonly children: ReactNode;
}

export function BackLink({ to, search, children }: BackLinkProps) {
  return (
    <Anchor
      renderRoot={(props) => <Link to={to} {...(search && { search })} {...props} />}
      size="sm"
      mih={{ base: 44, sm: 28 }}
      className={`${classes.back} no-print`}
    >
      <IconChevronLeft aria-hidden size={16} />
      {children}
    </Anchor>
  );
}
