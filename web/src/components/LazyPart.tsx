import { type ReactNode, Suspense } from 'react';
import { ErrorBoundary } from './ErrorBoundary.tsx';

interface LazyPartProps {
  /** Stands there while the part is on its way. */
  readonly fallback?: ReactNode;
  readonly children: ReactNode;
}

/** A part of a page that is loaded when it is needed. Where that fails, the page around it stays as it is. */
export function LazyPart({ fallback = null, children }: LazyPartProps) {
  return (
    <ErrorBoundary>
      <Suspense fallback={fallback}>{children}</Suspense>
    </ErrorBoundary>
  );
}
