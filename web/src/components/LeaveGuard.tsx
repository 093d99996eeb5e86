import { useBlocker } from '@tanstack/react-router';
import { ConfirmDialog } from './ConfirmDialog.tsx';

interface LeaveGuardProps {
  /** Whether leaving would lose something. */
  readonly active: boolean;
  readonly title: string;
  readonly text: string;
  readonly confirmLabel: string;
}

/** In the administrators' pages another school is another page, though its path is the same. */
const schoolIn = (search: unknown) => (search as { readonly school?: unknown }).school;

/** Asks before another page is opened, or this one closed, while something on it would be lost. */
export function LeaveGuard({ active, title, text, confirmLabel }: LeaveGuardProps) {
  const { status, proceed, reset } = useBlocker({
    // The same page with another address, such as a filter, loses nothing.
    shouldBlockFn: ({ current, next }) =>
      active && (current.pathname !== next.pathname || schoolIn(current.search) !== schoolIn(next.search)),
    enableBeforeUnload: () => active,
    withResolver: true,
  });
  return (
    <ConfirmDialog
      opened={status === 'blocked'}
      onClose={() => reset?.()}
      title={title}
      confirmLabel={confirmLabel}
      danger
      onConfirm={() => proceed?.()}
    >
      {text}
    </ConfirmDialog>
  );
}
