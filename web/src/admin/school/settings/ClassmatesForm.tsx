import type { SchoolSettings } from '@classledger/contract';
import { Button, Group, Radio, Stack } from '@mantine/core';
import { useState } from 'react';
import { FailureAlert } from '../../../components/FailureAlert.tsx';
import { useMutationWithNotice } from '../../../components/use-mutation-with-notice.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useSchool } from '../../school.tsx';
import { ClassPreview } from './ClassPreview.tsx';
import classes from './SettingsPage.module.css';
import { texts } from './texts.ts';

type Choice = SchoolSettings['classmates'];

const choices: readonly Choice[] = ['names', 'front', 'all'];

export function ClassmatesForm({ stored }: { readonly stored: Choice }) {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const [chosen, setChosen] = useState<Choice | null>(null);
  const change = useMutationWithNotice(
    'updateSchoolSettings',
    () => t('saved'),
    // Keeps the choice if the user has changed it while it was being saved.
    (_, { body }) => setChosen((now) => (now === body.classmates ? null : now)),
  );
  const shown = chosen ?? stored;
  return (
    <form
      className={classes.withPreview}
      onSubmit={(event) => {
        event.preventDefault();
        change.mutate({ body: { schoolDb, classmates: shown } });
      }}
    >
      <Stack>
        <Radio.Group
          aria-label={t('classmatesTitle')}
          value={shown}
          onChange={(value) => setChosen(choices.find((choice) => choice === value) ?? null)}
        >
          <Stack gap="sm">
            {choices.map((choice) => (
              <Radio key={choice} value={choice} label={t(choice)} description={t(`${choice}Hint`)} />
            ))}
          </Stack>
        </Radio.Group>
        <FailureAlert error={change.error} />
        <Group>
          <Button type="submit" loading={change.isPending} disabled={shown === stored}>
            {t('save')}
          </Button>
        </Group>
      </Stack>
      <ClassPreview choice={shown} />
    </form>
  );
}
