import { ActionIcon, Anchor } from '@mantine/core';
import { type Icon, IconPencil, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { Fragment, type ReactNode } from 'react';
import { DeleteEntry, MenuEntry, MenuLink, RowMenu } from '../../components/list/RowMenu.tsx';
import { commonTexts } from '../../i18n/common-texts.ts';
import { useTexts } from '../../i18n/texts.ts';
import { type Confirmation, ConfirmWriteDialog } from './ConfirmWriteDialog.tsx';
import { type RenderDialog, useOpenDialog } from './dialogs.tsx';
import { useRunWriteWithNotice, type Write } from './write.ts';

/** Actions that many lists have, with their icons. Their labels are common texts of the same name. */
const kindIcons = {
  edit: IconPencil,
  rename: IconPencil,
  enable: IconPlayerPlay,
  disable: IconPlayerPause,
} as const;

type Labelled = { readonly label: string; readonly icon: Icon } | { readonly kind: keyof typeof kindIcons };

/** An entry of a row's menu: a link, a dialog, a change, a change after a question, a deletion, or own content. */
type ShownAction =
  | (Labelled & { readonly link: (props: object) => ReactNode })
  | (Labelled & { readonly open: RenderDialog })
  | (Labelled & { readonly run: Write })
  | (Labelled & { readonly ask: Confirmation })
  | { readonly label?: string; readonly remove: Confirmation | RenderDialog }
  | { readonly label: string; readonly entry: ReactNode };

/** False leaves the entry out. */
export type RowAction = ShownAction | false;

interface RowActionsProps {
  readonly name: string;
  readonly actions: readonly RowAction[];
  readonly atTitle?: boolean;
}

export function RowActions({ name, actions, atTitle = false }: RowActionsProps) {
  const c = useTexts(commonTexts);
  const open = useOpenDialog();
  const { run, isPending } = useRunWriteWithNotice();
  const labelOf = (action: ShownAction) =>
    'kind' in action ? c(action.kind) : (action.label ?? c('delete'));
  const shown = actions.filter((action) => action !== false);
  if (shown.length === 0) return null;
  const entry = (action: ShownAction) => {
    const label = labelOf(action);
    if ('entry' in action) return action.entry;
    const ask = (question: Confirmation) =>
      open((dialog) => <ConfirmWriteDialog confirmLabel={label} {...dialog} {...question} />);
    if ('remove' in action) {
      const { remove } = action;
      const choose = () => (typeof remove === 'function' ? open(remove) : ask({ ...remove, danger: true }));
      return <DeleteEntry onChoose={choose}>{label}</DeleteEntry>;
    }
    const icon = 'kind' in action ? kindIcons[action.kind] : action.icon;
    if ('link' in action) {
      return (
        <MenuLink icon={icon} link={action.link}>
          {label}
        </MenuLink>
      );
    }
    const choose = () => {
      if ('open' in action) open(action.open);
      else if ('run' in action) run(action.run);
      else ask(action.ask);
    };
    return (
      <MenuEntry icon={icon} onChoose={choose}>
        {label}
      </MenuEntry>
    );
  };
  return (
    <RowMenu name={name} busy={isPending} atTitle={atTitle}>
      {shown.map((action) => (
        <Fragment key={labelOf(action)}>{entry(action)}</Fragment>
      ))}
    </RowMenu>
  );
}

interface RowButtonProps {
  readonly label: string;
  readonly icon: Icon;
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
