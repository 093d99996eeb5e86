import { lazy } from 'react';
import { confirmationState } from '../api/confirmation.ts';
import { LazyBoundary } from '../components/LazyBoundary.tsx';
import { useStore } from '../store.ts';

const ConfirmDialog = lazy(async () => ({ default: (await import('./ConfirmDialog.tsx')).ConfirmDialog }));

export interface ConfirmIdentityProps {
  readonly username: string;
  readonly schoolId: number | null;
}

/** A dialog above the page, which keeps its input. Then the refused calls are sent again; after a cancel they fail. */
export function ConfirmIdentity(props: ConfirmIdentityProps) {
  const isAsked = useStore(confirmationState);
  if (!isAsked) return null;
  return (
    <LazyBoundary>
      <ConfirmDialog {...props} />
    </LazyBoundary>
  );
}
