import { Alert, Button, Stack } from '@mantine/core';
import { IconFingerprint } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { call } from '../api/call.ts';
import type { DataOf, InputOf } from '../api/operation-types.ts';
import { useOperation } from '../api/queries.ts';
import { FailureAlert } from '../components/FailureAlert.tsx';
import { useTexts } from '../i18n/texts.ts';
import { adminHint } from './admin-hint.ts';
import { factorTexts } from './factor-texts.ts';

type Assertion = InputOf<'confirmWithPasskey'>['body'];

interface PasskeyButtonProps {
  readonly label: string;
  readonly variant: 'default' | 'subtle';
  /** Asks the server for a challenge, shows the browser's passkey dialog, and sends its answer to the server. */
  readonly run: (dialogs: typeof import('./passkey-dialogs.ts')) => Promise<void>;
}

function PasskeyButton({ label, variant, run }: PasskeyButtonProps) {
  const t = useTexts(factorTexts);
  const use = useMutation({ mutationFn: async () => run(await import('./passkey-dialogs.ts')) });
  const refused = t('unknownPasskey');
  return (
    <Stack gap="xs">
      {use.error?.name === 'PasskeyFailure' ? (
        <Alert color="gray" role="status" py="xs">
          {t('noPasskey')}
        </Alert>
      ) : (
        <FailureAlert error={use.error} sentences={{ 401: refused, 403: refused }} />
      )}
      <Button
        variant={variant}
        fullWidth
        leftSection={<IconFingerprint aria-hidden size={18} />}
        onClick={() => use.mutate()}
        loading={use.isPending}
      >
        {label}
      </Button>
    </Stack>
  );
}

interface PasskeySignInProps {
  readonly isShared: boolean;
  readonly onSignedIn: (me: DataOf<'login'>) => void;
}

export default function PasskeySignIn({ isShared, onSignedIn }: PasskeySignInProps) {
  const t = useTexts(factorTexts);
  return (
    <PasskeyButton
      label={t('withPasskey')}
      variant="subtle"
      run={async ({ askForPasskey }) => {
        const assertion: Assertion = await askForPasskey(await call('startPasskeyLogin'));
        const body = { ...assertion, sharedComputer: isShared, confirmations: true };
        const me = await call('loginWithPasskey', { body });
        adminHint.recordSignIn();
        onSignedIn(me);
      }}
    />
  );
}

/** Confirms with a passkey; renders nothing when the person has no passkey for this host. */
export function PasskeyConfirmation({ onConfirmed }: { readonly onConfirmed: () => void }) {
  const t = useTexts(factorTexts);
  const { data } = useOperation('getSecondFactor');
  if (!data?.passkeys.some(({ host }) => host === location.hostname)) return null;
  return (
    <PasskeyButton
      label={t('confirmWithPasskey')}
      variant="default"
      run={async ({ askForPasskey }) => {
        const assertion = await askForPasskey(await call('startPasskeyConfirmation'));
        await call('confirmWithPasskey', { body: assertion });
        onConfirmed();
      }}
    />
  );
}
