import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTexts } from '../i18n/texts.ts';
import { useIsOutdated } from '../new-version.ts';
import classes from './OutdatedNotice.module.css';
import { texts } from './texts.ts';

export function OutdatedNotice() {
  const t = useTexts(texts);
  const isOutdated = useIsOutdated();
  const [isPutOff, setIsPutOff] = useState(false);
  if (!isOutdated || isPutOff) return null;
  return (
    <div className={classes.notice} role="alert">
      <p className={classes.text}>{t('outdated')}</p>
      <div className={classes.actions}>
        <Button size="xs" onClick={() => location.reload()}>
          {t('reload')}
        </Button>
        <Button size="xs" variant="subtle" onClick={() => setIsPutOff(true)}>
          {t('later')}
        </Button>
      </div>
    </div>
  );
}
