import { Box } from '@mantine/core';
import type { ReactNode } from 'react';
import { LazyPart } from '../components/LazyPart.tsx';
import { passkeysWork } from './passkeys-work.ts';

/**
 * Reserves the space of a passkey button, so that nothing moves when it loads. Renders nothing in browsers without
 * passkeys.
 */
export function PasskeyPlace({ children }: { readonly children: ReactNode }) {
  return passkeysWork() && <LazyPart fallback={<Box h={36} />}>{children}</LazyPart>;
}
