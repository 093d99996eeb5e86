import { type ReactNode, Suspense } from 'react';
import { ErrorBoundary } from './ErrorBoundary.tsx';

interface LazyPartProps {
  readonly fallback?: ReactNode;
  readonly children: ReactNode;
}

export function LazyBoundary({ fallback = null, children }: LazyPartProps) {
  return (
    <ErrorBoundary>
      <Suspense fallback={fallback}>{children}</Suspense>
    </ErrorBoundary>
  );
}
