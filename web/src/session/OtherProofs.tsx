import { lazy } from 'react';
import { LazyPart } from '../components/LazyPart.tsx';
import { passkeysWork } from './passkeys-work.ts';

const PasskeyConfirmation = lazy(async () => ({
  default: (await import('./PasskeyButton.tsx')).PasskeyConfirmation,
}));
const ConfirmAtProvider = lazy(async () => ({
  default: (await import('./ConfirmAtProvider.tsx')).ConfirmAtProvider,
}));

interface OtherProofsProps {
  /** The administrator's; null where they belong to none. */
  readonly schoolId: number | null;
  readonly onConfirmed: () => void;
}

/** The ways to confirm the session without a password. Empty for people who have none. */
export function OtherProofs({ schoolId, onConfirmed }: OtherProofsProps) {
  return (
    <>
      {passkeysWork() && (
        <LazyPart>
          <PasskeyConfirmation onConfirmed={onConfirmed} />
        </LazyPart>
      )}
      <LazyPart>
        <ConfirmAtProvider schoolId={schoolId} onConfirmed={onConfirmed} />
      </LazyPart>
    </>
  );
}
