import { lazy } from 'react';
import { LazyBoundary } from '../components/ErrorBoundary.tsx';
import { arePasskeysSupported } from './PasskeyPlaceholder.tsx';

const PasskeyConfirmation = lazy(async () => ({
  default: (await import('./PasskeyButton.tsx')).PasskeyConfirmation,
}));
const ConfirmAtProvider = lazy(async () => ({
  default: (await import('./ProviderButtons.tsx')).ConfirmAtProvider,
}));

interface PasswordAlternativesProps {
  readonly schoolId: number | null;
  readonly onConfirmed: () => void;
}

export function PasswordAlternatives({ schoolId, onConfirmed }: PasswordAlternativesProps) {
  return (
    <>
      {arePasskeysSupported() && (
        <LazyBoundary>
          <PasskeyConfirmation onConfirmed={onConfirmed} />
        </LazyBoundary>
      )}
      <LazyBoundary>
        <ConfirmAtProvider schoolId={schoolId} onConfirmed={onConfirmed} />
      </LazyBoundary>
    </>
  );
}
