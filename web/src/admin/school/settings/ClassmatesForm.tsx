import type { SchoolSettings } from '@classledger/contract';
import { Group, Paper, Radio, Stack, Text } from '@mantine/core';
import { useId } from 'react';
import { useFormat } from '../../../i18n/format.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { SettingForm } from './SettingForm.tsx';
import { texts } from './texts.ts';

type Choice = SchoolSettings['classmates'];

/** The choices in the order shown, and how many ranks of six students each one shows. */
const shownRanks: Readonly<Record<Choice, number>> = { names: 0, front: 3, all: 6 };
const choices = Object.keys(shownRanks) as readonly Choice[];

export function ClassmatesForm({ stored }: { readonly stored: Choice }) {
  const t = useTexts(texts);
  return (
    <SettingForm
      stored={stored}
      bodyOf={(classmates) => ({ classmates })}
      aside={(choice) => <ClassPreview choice={choice} />}
    >
      {({ value: shown, choose }) => (
        <Radio.Group aria-label={t('classmatesTitle')} value={shown} onChange={choose}>
          <Stack gap="sm">
            {choices.map((choice) => (
              <Radio key={choice} value={choice} label={t(choice)} description={t(`${choice}Hint`)} />
            ))}
          </Stack>
        </Radio.Group>
      )}
    </SettingForm>
  );
}

/** Points of six invented students, from the best. The names, chosen by `nameIndexes`, are in alphabetical order. */
const points = [24, 21, 18, 12, 9, 4] as const;
const nameIndexes = [3, 0, 5, 1, 4, 2] as const;
/** Index of the student whose screen is shown: one in the lower half of the class. */
const ownPlace = 4;

function ClassPreview({ choice }: { readonly choice: Choice }) {
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
  const placed = students.slice(0, shownRanks[choice]);
  const others = students.slice(shownRanks[choice]).toSorted((one, other) => one.index - other.index);
  const rowOf = (place: number) => ({
    gap: 0,
    px: 8,
    py: 2,
    bdrs: 'sm',
    ...(place === ownPlace && { bg: 'var(--app-accent-soft)', fw: 600 }),
  });
  return (
    <Paper
      component="figure"
      m={0}
      p="14px 18px 16px"
      fz="sm"
      bd="1px solid var(--app-line)"
      bg="var(--app-background)"
      aria-labelledby={id}
    >
      <Text component="figcaption" inherit c="dimmed" id={id}>
        {t('previewTitle')}
      </Text>
      {placed.length > 0 && (
        <Stack component="ol" gap={4} m="8px 0 0" p={0}>
          {placed.map(({ place, name, total }) => (
            <Group key={place} component="li" {...rowOf(place)}>
              <Text span inherit w="1.5em" c="dimmed">
                {format.number(place)}
              </Text>
              <Text span inherit flex={1}>
                {name}
              </Text>
              {t('pointsUnit', { count: total })}
            </Group>
          ))}
        </Stack>
      )}
      {others.length > 0 && (
        <>
          {placed.length > 0 && (
            <Text inherit mt={10} c="dimmed">
              {t('others')}
            </Text>
          )}
          <Stack component="ul" gap={4} m="8px 0 0" p={0}>
            {others.map(({ place, name }) => (
              <Group key={place} component="li" {...rowOf(place)}>
                {name}
              </Group>
            ))}
          </Stack>
        </>
      )}
    </Paper>
  );
}
