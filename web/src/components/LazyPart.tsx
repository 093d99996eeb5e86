import { type ReactNode, Suspense } from 'react';
import { ErrorBoundary } from './ErrorBoundary.tsx';

interface LazyPartProps {
  readonly fallback?: ReactNode;
  readonly children: ReactNode;
}

/** Shows a part of a page that loads on demand. If loading fails, the page around it stays. */
export function LazyPart({ fallback = null, children }: LazyPartProps) {
  return (
    <ErrorBoundary>
      <Suspense fallback={fallback}>{children}</Suspense>
    </ErrorBoundary>
  );
}
