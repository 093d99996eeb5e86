import { Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import classes from './TopDialog.module.css';

interface TopDialogProps {
  readonly title: string;
  readonly text: string;
  /** Null: the calls below wait for an answer, and Escape is none. */
  readonly onCancel: (() => void) | null;
  readonly children: ReactNode;
}

const open: { readonly canBeLeft: boolean }[] = [];

// Asked before everyone else, as this stands here before any page does: a dialog below would take Escape for
// itself and close with what is typed in it, and the keys of scoring would give points.
addEventListener(
  'keydown',
  (event) => {
    const upper = open.at(-1);
    if (!upper) return;
    event.stopImmediatePropagation();
    if (event.key === 'Escape' && !upper.canBeLeft) event.preventDefault();
  },
  { capture: true },
);

/**
 * Asks for something above whatever is open, first of all for a password. The browser's own dialog stands above
 * everything, and weighs nothing.
 */
export function TopDialog({ title, text, onCancel, children }: TopDialogProps) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const canBeLeft = onCancel !== null;
  useLayoutEffect(() => {
    const { current } = dialog;
    const entry = { canBeLeft };
    open.push(entry);
    current?.showModal();
    // The name stands there already.
    current?.querySelector<HTMLInputElement>('input[type="password"]')?.focus();
    return () => {
      open.splice(open.indexOf(entry), 1);
      // Gives the focus back to where it was.
      current?.close();
    };
  }, [canBeLeft]);
  return (
    <dialog
      ref={dialog}
      className={classes.dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onCancel?.();
      }}
    >
      <Stack>
        <Title order={2} id={id}>
          {title}
        </Title>
        <Text c="dimmed">{text}</Text>
        {children}
      </Stack>
    </dialog>
  );
}
