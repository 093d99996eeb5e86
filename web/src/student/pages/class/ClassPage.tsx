import { IconUsers } from '@tabler/icons-react';
import type { RowOf } from '../../../api/operation-types.ts';
import { useOperation } from '../../../api/queries.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { ErrorState } from '../../../components/ErrorState.tsx';
import { LoadingRows } from '../../../components/LoadingRows.tsx';
import { PageHeader } from '../../../components/PageHeader.tsx';
import { commonTexts } from '../../../i18n/common-texts.ts';
import { useFormat } from '../../../i18n/format.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useStudent } from '../../me.ts';
import { standingOf } from '../../standing.ts';
import classes from './ClassPage.module.css';
import { Podium } from './Podium.tsx';
import { texts } from './texts.ts';

/** The own class, best first. */
export function ClassPage() {
  const t = useTexts(texts);
  const c = useTexts(commonTexts);
  const { id, gradeName, className } = useStudent();
  const mates = useOperation('listClassmates', {}, { refetchInterval: 60_000 });
  const { data } = mates;
  const mood = data && standingOf(data, id)?.mood;
  const places = data?.map((mate, i) => ({ ...mate, rank: i + 1, own: mate.id === id })) ?? [];
  // Without any difference there is nobody to stand above others.
  const raised = places.length >= 3 && mood !== 'level' ? 3 : 0;
  return (
    <>
      <PageHeader
        title={t('title')}
        description={[gradeName, className, ...(data ? [c('students', { count: data.length })] : [])].join(
          ' · ',
        )}
      />
      {mates.isPending && <LoadingRows rows={8} height={52} />}
      {!mates.isPending && !data && <ErrorState error={mates.error} onRetry={() => void mates.refetch()} />}
      {mood === 'alone' && <EmptyState icon={IconUsers} title={t('alone')} hint={t('aloneHint')} />}
      {mood === 'level' && <p className={classes.level}>{t('level')}</p>}
      {raised > 0 && <Podium places={places.slice(0, raised)} />}
      {mood !== 'alone' && places.length > raised && (
        <ol className={classes.list} start={raised + 1} aria-label={t('title')}>
          {places.slice(raised).map((place) => (
            <PlaceRow key={place.id} place={place} />
          ))}
        </ol>
      )}
    </>
  );
}

/** A classmate with the position in the class. */
export type Place = RowOf<'listClassmates'> & { readonly rank: number; readonly own: boolean };

function PlaceRow({ place: { rank, own, actualName, totalScore } }: { readonly place: Place }) {
  const t = useTexts(texts);
  const c = useTexts(commonTexts);
  const format = useFormat();
  return (
    <li className={classes.row} data-own={own || undefined}>
      <span className={classes.rank}>{format.number(rank)}</span>
      <span className={classes.name}>
        {actualName}
        {own && <span className={classes.you}>{t('you')}</span>}
      </span>
      <span className={classes.points}>{c('pointsUnit', { count: totalScore })}</span>
    </li>
  );
}
