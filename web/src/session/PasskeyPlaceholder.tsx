import { Box } from '@mantine/core';
import type { ReactNode } from 'react';
import { LazyBoundary } from '../components/LazyBoundary.tsx';
import { arePasskeysSupported } from './passkey-support.ts';

/** Reserves the space of a passkey button that still loads. Renders nothing if the browser has no passkeys. */
export function PasskeyPlaceholder({ children }: { readonly children: ReactNode }) {
  return arePasskeysSupported() && <LazyBoundary fallback={<Box h={36} />}>{children}</LazyBoundary>;
}
