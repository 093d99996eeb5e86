import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { FailureAlert } from '../../../components/FailureAlert.tsx';
import { useMutationWithNotice } from '../../../components/use-mutation-with-notice.ts';
import { useFormat } from '../../../i18n/format.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useSchool } from '../../school.tsx';
import { TimeZoneSelect } from '../../TimeZoneSelect.tsx';
import { texts } from './texts.ts';

export function TimeZoneForm({ stored }: { readonly stored: string }) {
  const t = useTexts(texts);
  const format = useFormat();
  const { schoolDb } = useSchool();
  const [chosen, setChosen] = useState<string | null>(null);
  const wanted = chosen ?? stored;
  const change = useMutationWithNotice(
    'updateSchoolSettings',
    () => t('saved'),
    // Keeps the choice if the user has changed it while it was being saved.
    (_, { body }) => setChosen((now) => (now === body.timeZone ? null : now)),
  );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        change.mutate({ body: { schoolDb, timeZone: wanted } });
      }}
    >
      <Stack>
        <TimeZoneSelect
          label={t('timeZone')}
          description={t('timeZoneNow', { time: format.timeNow() })}
          value={wanted}
          onChange={setChosen}
          maw={480}
        />
        {chosen !== null && <Text size="sm">{t('timeZoneChanges')}</Text>}
        <FailureAlert error={change.error} />
        <Group>
          <Button type="submit" loading={change.isPending} disabled={chosen === null}>
            {t('save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
