import { ActionIcon, Anchor } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import { Fragment, type ReactNode } from 'react';
import { DeleteEntry, MenuEntry, MenuLink, RowMenu } from '../../components/list/RowMenu.tsx';
import { type Confirmation, ConfirmWriteDialog } from './ConfirmWriteDialog.tsx';
import { type RenderDialog, useOpenDialog } from './dialogs.tsx';
import { useRunWriteWithNotice, type Write } from './write.ts';

interface Labelled {
  readonly label: string;
  readonly icon: Icon;
}

/** An entry of a row's menu: a link, a dialog, a change, a change after a question, a deletion, or own content. */
type ShownAction =
  | (Labelled & { readonly link: (props: object) => ReactNode })
  | (Labelled & { readonly open: RenderDialog })
  | (Labelled & { readonly run: Write })
  | (Labelled & { readonly ask: Confirmation })
  | { readonly label: string; readonly remove: Confirmation }
  | { readonly label: string; readonly entry: ReactNode };

/** False leaves the entry out. */
export type RowAction = ShownAction | false;

interface RowActionsProps {
  readonly name: string;
  readonly actions: readonly RowAction[];
  readonly atTitle?: boolean;
}

export function RowActions({ name, actions, atTitle = false }: RowActionsProps) {
  const open = useOpenDialog();
  const { run, isPending } = useRunWriteWithNotice();
  const shown = actions.filter((action) => action !== false);
  if (shown.length === 0) return null;
  const entry = (action: ShownAction) => {
    const { label } = action;
    if ('entry' in action) return action.entry;
    if ('link' in action) {
      return (
        <MenuLink icon={action.icon} link={action.link}>
          {label}
        </MenuLink>
      );
    }
    const ask = (question: Confirmation) =>
      open((dialog) => <ConfirmWriteDialog confirmLabel={label} {...dialog} {...question} />);
    if ('remove' in action) {
      const { remove } = action;
      return <DeleteEntry onChoose={() => ask({ ...remove, danger: true })}>{label}</DeleteEntry>;
    }
    const choose = () => {
      if ('open' in action) open(action.open);
      else if ('run' in action) run(action.run);
      else ask(action.ask);
    };
    return (
      <MenuEntry icon={action.icon} onChoose={choose}>
        {label}
      </MenuEntry>
    );
  };
  return (
    <RowMenu name={name} busy={isPending} atTitle={atTitle}>
      {shown.map((action) => (
        <Fragment key={action.label}>{entry(action)}</Fragment>
      ))}
    </RowMenu>
  );
}

interface RowButtonProps extends Labelled {
  /** The label with the row's name, for screen readers. */
  readonly labelNamed: string;
  readonly run: Write;
}

export function RowButton({ label, labelNamed, icon: Shown, run }: RowButtonProps) {
  const attempt = useRunWriteWithNotice();
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={labelNamed}
      title={label}
      loading={attempt.isPending}
      onClick={() => attempt.run(run)}
    >
      <Shown aria-hidden size={18} />
    </ActionIcon>
  );
}

interface DialogLinkProps {
  readonly dialog: RenderDialog;
  readonly children: string;
}

/** The name of a row, as a button that opens a dialog. */
export function DialogLink({ dialog, children }: DialogLinkProps) {
  const open = useOpenDialog();
  return (
    <Anchor component="button" type="button" fz="inherit" fw={600} ta="start" onClick={() => open(dialog)}>
      {children}
    </Anchor>
  );
}
