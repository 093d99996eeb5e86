import { lazy } from 'react';
import { confirmationState } from '../api/confirmation.ts';
import { LazyBoundary } from '../components/ErrorBoundary.tsx';
import { useStore } from '../store.ts';
import type { ConfirmDialogProps } from './ConfirmDialog.tsx';

const ConfirmDialog = lazy(() => import('./ConfirmDialog.tsx'));

/** A dialog above the page, which keeps its input. Then the refused calls are sent again; after a cancel they fail. */
export function ConfirmIdentity(props: ConfirmDialogProps) {
  const isAsked = useStore(confirmationState);
  if (!isAsked) return null;
  return (
    <LazyBoundary>
      <ConfirmDialog {...props} />
    </LazyBoundary>
  );
}
