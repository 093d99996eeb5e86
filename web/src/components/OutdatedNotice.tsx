import { Button, Group, Paper, Text } from '@mantine/core';
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
    <Paper className={`${classes.notice} no-print`} withBorder shadow="md" px="md" py="sm" role="alert">
      <Group justify="space-between" gap="10px 16px">
        <Text flex="1 1 16em" lh={1.45}>
          {t('outdated')}
        </Text>
        <Group gap={4}>
          <Button size="xs" onClick={() => location.reload()}>
            {t('reload')}
          </Button>
          <Button size="xs" variant="subtle" onClick={() => setIsPutOff(true)}>
            {t('later')}
          </Button>
        </Group>
      </Group>
    </Paper>
  );
}
