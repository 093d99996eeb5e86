import { Box } from '@mantine/core';
import type { ReactNode } from 'react';
import { LazyBoundary } from '../components/ErrorBoundary.tsx';

/** Returns whether passkeys work here. They need https or localhost, and a host name instead of an IP address. */
export const arePasskeysSupported = () =>
  typeof PublicKeyCredential === 'function' && !/^(\d+(\.\d+){3}|\[.*\])$/.test(location.hostname);

/** Reserves the space of a passkey button that still loads. Renders nothing if the browser has no passkeys. */
export function PasskeyPlaceholder({ children }: { readonly children: ReactNode }) {
  return arePasskeysSupported() && <LazyBoundary fallback={<Box h={36} />}>{children}</LazyBoundary>;
}
