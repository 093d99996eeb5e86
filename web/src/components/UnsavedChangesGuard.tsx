import { useBlocker } from '@tanstack/react-router';
import { ConfirmDialog } from './ConfirmDialog.tsx';

interface UnsavedChangesGuardProps {
  readonly active: boolean;
  readonly title: string;
  readonly text: string;
  readonly confirmLabel: string;
  /** Asks the same question about closing a dialog. */
  readonly closing?: { readonly isAsked: boolean; readonly onStay: () => void; readonly onLeave: () => void };
}

/** On administrators' pages, the search parameter `school` names the school, so another value is another page. */
const schoolOfSearch = (search: unknown) => (search as { readonly school?: unknown }).school;

export function UnsavedChangesGuard(props: UnsavedChangesGuardProps) {
  const { active, title, text, confirmLabel, closing } = props;
  const { status, proceed, reset } = useBlocker({
    // Does not ask when only other search parameters change, such as a filter, because the form keeps its input.
    shouldBlockFn: ({ current, next }) =>
      active &&
      (current.pathname !== next.pathname || schoolOfSearch(current.search) !== schoolOfSearch(next.search)),
    enableBeforeUnload: () => active,
    withResolver: true,
  });
  return (
    <ConfirmDialog
      opened={status === 'blocked' || closing?.isAsked === true}
      onClose={() => {
        reset?.();
        closing?.onStay();
      }}
      title={title}
      confirmLabel={confirmLabel}
      danger
      onConfirm={() => {
        if (status === 'blocked') proceed();
        else closing?.onLeave();
      }}
    >
      {text}
    </ConfirmDialog>
  );
}
