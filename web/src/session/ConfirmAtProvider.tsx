import { Button } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { DataOf } from '../api/operation-types.ts';
import { useOperation } from '../api/queries.ts';
import { useTexts } from '../i18n/texts.ts';
import { providerTexts } from './provider-texts.ts';
import { openProviderWindow, providerUrl } from './provider-window.ts';

type Choices = DataOf<'listSignInChoices'>;

interface ConfirmAtProviderProps {
  readonly schoolId: number | null;
  readonly onConfirmed: () => void;
}

/** Confirms at a sign-in service of the school; renders nothing if the school has none. */
export function ConfirmAtProvider({ schoolId, onConfirmed }: ConfirmAtProviderProps) {
  const t = useTexts(providerTexts);
  const query = { for: 'administrators', schoolDb: `school_${schoolId}` } as const;
  const { data } = useOperation('listSignInChoices', { query }, { enabled: schoolId !== null });
  const stop = useRef<() => void>(() => {});
  useEffect(() => () => stop.current(), []);
  const confirmAt = (provider: Choices['providers'][number]) => {
    stop.current();
    stop.current = openProviderWindow(providerUrl(provider, 'confirmation'), onConfirmed);
  };
  return data?.providers.map((provider) => (
    <Button key={provider.id} variant="default" fullWidth onClick={() => confirmAt(provider)}>
      {t('confirmAt', { name: provider.name })}
    </Button>
  ));
}
