import { IconUsers } from '@tabler/icons-react';
import { useOperation } from '../../api/queries.ts';
import { EmptyState } from '../../components/EmptyState.tsx';
import { ErrorState } from '../../components/ErrorState.tsx';
import { LoadingRows } from '../../components/LoadingRows.tsx';
import { PageHeader } from '../../components/PageHeader.tsx';
import { StudentName } from '../../components/StudentName.tsx';
import { StudentNamesContext, useNamesAmong } from '../../components/student-names.ts';
import { useFormat } from '../../i18n/format.ts';
import { useLanguage, useTexts } from '../../i18n/texts.ts';
import { useStudent } from '../me.ts';
import { ownRankOf } from '../own-rank.ts';
import classes from './ClassPage.module.css';
import { classPlaces, type Place } from './class-places.ts';
import { Podium } from './Podium.tsx';
import { texts } from './texts.ts';

/**
 * The own class. Who is in front is shown with places and points; of the others everyone sees the names only, by
 * name, and the own place.
 */
export function ClassPage() {
  const t = useTexts(texts);
  const { id, gradeName, className } = useStudent();
  const mates = useOperation('listClassmates', {}, { refetchInterval: 60_000 });
  const { data } = mates;
  const mood = data && ownRankOf(data, id)?.mood;
  const { podium, ranked, others } = classPlaces(data ?? [], id);
  return (
    <StudentNamesContext value={useNamesAmong(data ?? [])}>
      <PageHeader
        title={t('title')}
        description={[
          gradeName,
          className,
          ...(data ? [t('studentCount', { count: data.length })] : []),
        ].join(' · ')}
      />
      {mates.isPending && <LoadingRows rows={8} height={52} />}
      {!mates.isPending && !data && <ErrorState error={mates.error} onRetry={() => void mates.refetch()} />}
      {mood === 'alone' && <EmptyState icon={IconUsers} title={t('alone')} hint={t('aloneHint')} />}
      {mood === 'level' && <p className={classes.level}>{t('level')}</p>}
      {podium.length > 0 && <Podium places={podium} />}
      {mood !== 'alone' && ranked.length > 0 && (
        <ol className={classes.list} aria-label={t('title')}>
          {ranked.map((place) => (
            <PlaceRow key={place.id} place={place} />
          ))}
        </ol>
      )}
      {mood !== 'alone' && others.length > 0 && <Others places={others} isAll={mood === 'level'} />}
    </StudentNamesContext>
  );
}

function PlaceRow({ place }: { readonly place: Place }) {
  const { rank, own, totalScore } = place;
  const t = useTexts(texts);
  const format = useFormat();
  return (
    <li className={classes.row} value={rank} data-own={own || undefined}>
      <span className={classes.rank}>{format.number(rank)}</span>
      <span className={classes.name}>
        <StudentName of={place} />
        {own && <span className={classes.you}>{t('you')}</span>}
      </span>
      <span className={classes.points}>
        <span aria-hidden>{format.number(totalScore)}</span>
        <span className="visually-hidden">{t('pointsUnit', { count: totalScore })}</span>
      </span>
    </li>
  );
}

/** Classmates by name: no one reads off here who is last. */
function Others({ places, isAll }: { readonly places: readonly Place[]; readonly isAll: boolean }) {
  const t = useTexts(texts);
  const language = useLanguage();
  const byName = new Intl.Collator(language, { numeric: true });
  return (
    <section aria-labelledby="others">
      <h2 id="others" className={isAll ? 'visually-hidden' : classes.othersTitle}>
        {t(isAll ? 'title' : 'others')}
      </h2>
      <ul className={classes.others}>
        {places
          .toSorted((one, other) => byName.compare(one.actualName, other.actualName))
          .map((place) => (
            <li key={place.id} data-own={place.own || undefined}>
              <span>
                <StudentName of={place} />
              </span>
              {place.own && <span className={classes.you}>{t('you')}</span>}
            </li>
          ))}
      </ul>
    </section>
  );
}
