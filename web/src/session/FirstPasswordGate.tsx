import { lazy, type ReactNode, useState } from 'react';
import { LazyBoundary } from '../components/ErrorBoundary.tsx';
import type { FirstPasswordProps } from './FirstPassword.tsx';

const FirstPassword = lazy(() => import('./FirstPassword.tsx'));

interface FirstPasswordGateProps extends FirstPasswordProps {
  readonly mustChange: boolean;
  readonly fallback: ReactNode;
  readonly children: ReactNode;
}

/** Asks the person for a new password first. The URL stays the same, so the requested page follows. */
export function FirstPasswordGate({ mustChange, fallback, children, ...props }: FirstPasswordGateProps) {
  const [isInside, setInside] = useState(!mustChange);
  if (!mustChange && !isInside) setInside(true);
  return (
    <>
      {isInside && children}
      {mustChange && (
        <LazyBoundary fallback={isInside ? null : fallback}>
          <FirstPassword {...props} isDialog={isInside} />
        </LazyBoundary>
      )}
    </>
  );
}
