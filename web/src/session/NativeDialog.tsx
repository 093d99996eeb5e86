import { Paper, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';

interface NativeDialogProps {
  readonly title: string;
  readonly text: string;
  /** Null when the user cannot cancel the dialog, because calls wait for its result. */
  readonly onCancel: (() => void) | null;
  readonly children: ReactNode;
}

const openDialogs: { readonly canCancel: boolean }[] = [];

// Registered before the listeners of pages, so that Escape and shortcuts do not reach them while a dialog is open.
addEventListener(
  'keydown',
  (event) => {
    const topDialog = openDialogs.at(-1);
    if (!topDialog) return;
    event.stopImmediatePropagation();
    if (event.key === 'Escape' && !topDialog.canCancel) event.preventDefault();
  },
  { capture: true },
);

/** Uses the `<dialog>` element, because the browser shows it above everything and it needs no library code. */
export function NativeDialog({ title, text, onCancel, children }: NativeDialogProps) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const canCancel = onCancel !== null;
  useLayoutEffect(() => {
    const { current } = dialog;
    const entry = { canCancel };
    openDialogs.push(entry);
    current?.showModal();
    current?.querySelector<HTMLInputElement>('input[type="password"]')?.focus();
    return () => {
      openDialogs.splice(openDialogs.indexOf(entry), 1);
      current?.close();
    };
  }, [canCancel]);
  return (
    <Paper
      component="dialog"
      ref={dialog}
      withBorder
      shadow="md"
      w="min(420px, calc(100vw - 32px))"
      p={28}
      c="inherit"
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
    </Paper>
  );
}
