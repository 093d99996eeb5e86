import { Box } from '@mantine/core';
import type { ReactNode } from 'react';
import { LazyPart } from '../components/LazyPart.tsx';
import { passkeysWork } from './passkeys-work.ts';

/** Where a button for passkeys will stand: nothing jumps as it comes. Nothing where the browser has no passkeys. */
export function PasskeyPlace({ children }: { readonly children: ReactNode }) {
  return passkeysWork() && <LazyPart fallback={<Box h={36} />}>{children}</LazyPart>;
}
