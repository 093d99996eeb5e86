import { Title } from '@mantine/core';
import { type Icon, IconPlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { PageHeader } from '../../components/PageHeader.tsx';
import { BackLink, type BackLinkProps } from '../BackLink.tsx';
import { DialogButton, DialogProvider, type RenderDialog } from './dialogs.tsx';

export interface CreateAction {
  readonly label: string;
  /** The icon; a plus if undefined. */
  readonly icon?: Icon;
  readonly open: RenderDialog;
}

export interface PageProps {
  readonly title: string;
  readonly description?: string | undefined;
  readonly back?: Pick<BackLinkProps, 'to' | 'search'> & { readonly label: string };
  readonly headActions?: ReactNode;
  readonly create?: CreateAction | undefined;
  readonly children: ReactNode;
}

/** Shows a page with back link, heading and content, and the dialog that any of these opened. */
export function Page({ back, title, description, headActions, create, children }: PageProps) {
  return (
    <DialogProvider>
      {back && (
        <BackLink to={back.to} search={back.search}>
          {back.label}
        </BackLink>
      )}
      <PageHeader
        title={title}
        {...(description !== undefined && { description })}
        {...((headActions || create) && {
          actions: (
            <>
              {headActions}
              {create && <CreateButton {...create} />}
            </>
          ),
        })}
      />
      {children}
    </DialogProvider>
  );
}

interface CreateButtonProps extends CreateAction {
  readonly variant?: 'filled' | 'default';
}

export function CreateButton({ label, icon: Shown = IconPlus, open, variant = 'filled' }: CreateButtonProps) {
  return (
    <DialogButton dialog={open} variant={variant} leftSection={<Shown aria-hidden size={16} />}>
      {label}
    </DialogButton>
  );
}

/** The heading of a part of a page. */
export const Heading = Title.withProps({ order: 2, size: 'h3' });
