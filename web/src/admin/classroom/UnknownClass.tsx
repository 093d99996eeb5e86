import { IconSchool } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { EmptyState } from '../../components/EmptyState.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { texts } from './texts.ts';

export function UnknownClass({ picker }: { readonly picker: ReactNode }) {
  const t = useTexts(texts);
  return (
    <EmptyState
      icon={IconSchool}
      title={t('unknownClassTitle')}
      hint={t('unknownClassHint')}
      action={picker}
    />
  );
}
