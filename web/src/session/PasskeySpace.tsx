import { Box } from '@mantine/core';
import type { ReactNode } from 'react';
import { LazyPart } from '../components/LazyPart.tsx';
import { arePasskeysSupported } from './passkey-support.ts';

/** Reserves the button's space, so that nothing moves when it loads. Empty without passkey support. */
export function PasskeySpace({ children }: { readonly children: ReactNode }) {
  return arePasskeysSupported() && <LazyPart fallback={<Box h={36} />}>{children}</LazyPart>;
}
