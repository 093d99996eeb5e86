import { useBlocker } from '@tanstack/react-router';
import { ConfirmDialog } from './ConfirmDialog.tsx';

interface LeaveGuardProps {
  readonly active: boolean;
  readonly title: string;
  readonly text: string;
  readonly confirmLabel: string;
}

/** On administrators' pages another school is another page, although the path is the same. */
const schoolOfSearch = (search: unknown) => (search as { readonly school?: unknown }).school;

export function LeaveGuard({ active, title, text, confirmLabel }: LeaveGuardProps) {
  const { status, proceed, reset } = useBlocker({
    // A new search parameter on the same page, such as a filter, loses nothing.
    shouldBlockFn: ({ current, next }) =>
      active &&
      (current.pathname !== next.pathname || schoolOfSearch(current.search) !== schoolOfSearch(next.search)),
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
