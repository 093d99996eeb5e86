import { Anchor, Text } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTexts } from '../../../i18n/texts.ts';
import { Notice } from '../passwords/Notice.tsx';
import { texts } from './texts.ts';

export function UndoneRun({ id }: { readonly id: number | null }) {
  const t = useTexts(texts);
  if (id === null) return null;
  return (
    <output>
      <Notice icon={IconArrowBackUp} tone="attention" title={t('undoneTitle')}>
        <Text>{t('undoneText')}</Text>
        <Anchor
          renderRoot={(own) => <Link to="/imports/$importId" params={{ importId: String(id) }} {...own} />}
        >
          {t('showUndone')}
        </Anchor>
      </Notice>
    </output>
  );
}
