import type { SchoolSettings } from '@classledger/contract';
import { Button, Group, Radio, Stack } from '@mantine/core';
import { useId, useState } from 'react';
import { FailureAlert } from '../../../components/FailureAlert.tsx';
import { useMutationWithNotice } from '../../../components/use-mutation-with-notice.ts';
import { useFormat } from '../../../i18n/format.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useSchool } from '../../school.tsx';
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

/** Points of six invented students, from the best. The names, chosen by `nameIndexes`, are in alphabetical order. */
const points = [24, 21, 18, 12, 9, 4] as const;
const nameIndexes = [3, 0, 5, 1, 4, 2] as const;
/** Index of the student whose screen is shown: one in the lower half of the class. */
const ownPlace = 4;

const shownRanksCount: Readonly<Record<SchoolSettings['classmates'], number>> = {
  names: 0,
  front: 3,
  all: 6,
};

function ClassPreview({ choice }: { readonly choice: SchoolSettings['classmates'] }) {
  const t = useTexts(texts);
  const format = useFormat();
  const id = useId();
  const names = t('previewNames').split(',');
  const students = points.map((total, i) => ({
    place: i + 1,
    total,
    index: nameIndexes[i] ?? 0,
    name: i + 1 === ownPlace ? t('you') : (names[nameIndexes[i] ?? 0] ?? ''),
  }));
  const placed = students.slice(0, shownRanksCount[choice]);
  const others = students.slice(shownRanksCount[choice]).toSorted((one, other) => one.index - other.index);
  return (
    <figure className={classes.preview} aria-labelledby={id}>
      <figcaption id={id}>{t('previewTitle')}</figcaption>
      {placed.length > 0 && (
        <ol>
          {placed.map(({ place, name, total }) => (
            <li key={place} data-own={place === ownPlace || undefined}>
              <span className={classes.place}>{format.number(place)}</span>
              <span>{name}</span>
              <span className={classes.total}>{t('pointsUnit', { count: total })}</span>
            </li>
          ))}
        </ol>
      )}
      {others.length > 0 && (
        <>
          {placed.length > 0 && <p>{t('others')}</p>}
          <ul>
            {others.map(({ place, name }) => (
              <li key={place} data-own={place === ownPlace || undefined}>
                {name}
              </li>
            ))}
          </ul>
        </>
      )}
    </figure>
  );
}
