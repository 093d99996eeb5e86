import type { SchoolSettings } from '@classledger/contract';
import { useId } from 'react';
import { useFormat } from '../../../i18n/format.ts';
import { useTexts } from '../../../i18n/texts.ts';
import classes from './SettingsPage.module.css';
import { texts } from './texts.ts';

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

export function ClassPreview({ choice }: { readonly choice: SchoolSettings['classmates'] }) {
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
