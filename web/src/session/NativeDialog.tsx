import { Paper, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';

interface NativeDialogProps {
  readonly title: string;
  readonly text: string;
  /** Null when the user cannot cancel the dialog, because calls wait for its result. */
  readonly onCancel: (() => void) | null;
  readonly children: ReactNode;
}

// Registered before the listeners of pages, so that Escape and shortcuts do not reach them while a dialog is open.
addEventListener(
  'keydown',
  (event) => {
    if (!document.querySelector('dialog:modal')) return;
    event.stopImmediatePropagation();
    if (event.key === 'Escape' && document.querySelector('dialog[data-required]')) event.preventDefault();
  },
  { capture: true },
);

/** Uses the `<dialog>` element, because the browser shows it above everything and it needs no library code. */
export function NativeDialog({ title, text, onCancel, children }: NativeDialogProps) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const { current } = dialog;
    current?.showModal();
    current?.querySelector<HTMLInputElement>('input[type="password"]')?.focus();
    return () => current?.close();
  }, []);
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
      data-required={onCancel === null || undefined}
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
