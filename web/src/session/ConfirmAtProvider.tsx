import { Button } from '@mantine/core';
import { useOperation } from '../api/queries.ts';
import { useTexts } from '../i18n/texts.ts';
import { providerTexts } from './provider-texts.ts';
import { providerUrl, useProviderWindow } from './provider-window.ts';

interface ConfirmAtProviderProps {
  readonly schoolId: number | null;
  readonly onConfirmed: () => void;
}

/** Confirms at a sign-in service of the school; renders nothing if the school has none. */
export function ConfirmAtProvider({ schoolId, onConfirmed }: ConfirmAtProviderProps) {
  const t = useTexts(providerTexts);
  const query = { for: 'administrators', schoolDb: `school_${schoolId}` } as const;
  const { data } = useOperation('listSignInChoices', { query }, { enabled: schoolId !== null });
  const openWindow = useProviderWindow();
  return data?.providers.map((provider) => (
    <Button
      key={provider.id}
      variant="default"
      fullWidth
      onClick={() => openWindow(providerUrl(provider, 'confirmation'), onConfirmed)}
    >
      {t('confirmAt', { name: provider.name })}
    </Button>
  ));
}
