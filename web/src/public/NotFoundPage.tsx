import { Button } from '@mantine/core';
import { useTexts } from '../i18n/texts.ts';
import { Entrance } from '../session/Entrance.tsx';
import { texts } from './texts.ts';

export function NotFoundPage() {
  const t = useTexts(texts);
  return (
    <Entrance title={t('lostTitle')} text={t('lostHint')} wayOut={null}>
      <Button component="a" href="/" fullWidth>
        {t('toStart')}
      </Button>
    </Entrance>
  );
}
