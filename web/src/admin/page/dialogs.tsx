import { Button, type ButtonProps } from '@mantine/core';
import {
  createContext,
  Fragment,
  type ReactNode,
  use,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react';
import type { DialogProps } from '../../components/ConfirmDialog.tsx';

/** Renders a dialog: `(dialog) => <TermForm {...dialog} />`. */
export type RenderDialog = (dialog: DialogProps) => ReactNode;

const OpenDialogContext = createContext<((render: RenderDialog) => void) | null>(null);

interface OpenDialog {
  /** Stays set while the dialog fades out. Null before the first one. */
  readonly render: RenderDialog | null;
  readonly opened: boolean;
  readonly turn: number;
}

/** Shows the open dialog of a page. Then the element that opened the first of several dialogs gets the focus. */
export function DialogProvider({ children }: { readonly children: ReactNode }) {
  const [{ render, opened, turn }, set] = useState<OpenDialog>({ render: null, opened: false, turn: 0 });
  const before = useRef<Element | null>(null);
  const open = useCallback((next: RenderDialog) => {
    // When a dialog opens from another dialog, keeps the element that opened the first one. The body has the focus if
    // the first dialog's button is busy.
    const { activeElement: focused, body } = document;
    const modal = '[aria-modal="true"]';
    const isInDialog = focused === body ? body.querySelector(modal) : focused?.closest(modal);
    if (!isInDialog) before.current = focused;
    set((former) => ({ render: next, opened: true, turn: former.turn + 1 }));
  }, []);
  // Ignores an answer that arrives after another dialog has replaced the one that waited for it.
  const close = useCallback(
    () => set((former) => (former.turn === turn ? { ...former, opened: false } : former)),
    [turn],
  );
  useEffect(() => {
    if (!opened && before.current instanceof HTMLElement) before.current.focus({ preventScroll: true });
  }, [opened]);
  return (
    <OpenDialogContext value={open}>
      {children}
      {render && <Fragment key={turn}>{render({ opened, onClose: close })}</Fragment>}
    </OpenDialogContext>
  );
}

/** Returns a function that opens a dialog and replaces the open one. Works only below `Page`. */
export function useOpenDialog(): (render: RenderDialog) => void {
  const open = use(OpenDialogContext);
  if (!open) throw new Error('Use this hook inside Page');
  return open;
}

interface DialogButtonProps extends ButtonProps {
  readonly dialog: RenderDialog;
  readonly children: string;
}

export function DialogButton({ dialog, ...button }: DialogButtonProps) {
  const open = useOpenDialog();
  return <Button {...button} onClick={() => open(dialog)} />;
}
