import { IconUsers } from '@tabler/icons-react';
import type { RowOf } from '../../api/operation-types.ts';
import { useOperation } from '../../api/queries.ts';
import { EmptyState } from '../../components/EmptyState.tsx';
import { ErrorState } from '../../components/ErrorState.tsx';
import { LoadingRows } from '../../components/LoadingRows.tsx';
import { PageHeader } from '../../components/PageHeader.tsx';
import { StudentName } from '../../components/StudentName.tsx';
import { StudentNamesContext, useDistinctStudentNames } from '../../components/student-names.ts';
import { useFormat } from '../../i18n/format.ts';
import { byName } from '../../i18n/name-order.ts';
import { useTexts } from '../../i18n/texts.ts';
import { useStudent } from '../me.ts';
import classes from './ClassPage.module.css';
import { classRanking, isTied, type RankedClassmate } from './class-ranking.ts';
import { Podium } from './Podium.tsx';
import { texts } from './texts.ts';

export function ClassPage() {
  const t = useTexts(texts);
  const { id, gradeName, className } = useStudent();
  const classmates = useOperation('listClassmates', {}, { refetchInterval: 60_000 });
  const { data } = classmates;
  const level = data !== undefined && isTied(data);
  const alone = data?.length === 1;
  const { podium, ranked, others } = classRanking(data ?? []);
  return (
    <StudentNamesContext value={useDistinctStudentNames(data ?? [])}>
      <PageHeader
        title={t('title')}
        description={[
          gradeName,
          className,
          ...(data ? [t('studentCount', { count: data.length })] : []),
        ].join(' · ')}
      />
      {classmates.isPending && <LoadingRows rows={8} height={52} />}
      {!classmates.isPending && !data && (
        <ErrorState error={classmates.error} onRetry={() => void classmates.refetch()} />
      )}
      {alone && <EmptyState icon={IconUsers} title={t('alone')} hint={t('aloneHint')} />}
      {level && <p className={classes.level}>{t('level')}</p>}
      {podium.length > 0 && <Podium places={podium} ownId={id} />}
      {!alone && ranked.length > 0 && (
        <ol className={classes.list} aria-label={t('title')}>
          {ranked.map((place) => (
            <RankRow key={place.id} mate={place} own={place.id === id} />
          ))}
        </ol>
      )}
      {!alone && others.length > 0 && (
        <Others classmates={others} ownId={id} isAll={others.length === data?.length} />
      )}
    </StudentNamesContext>
  );
}

function RankRow({ mate, own }: { readonly mate: RankedClassmate; readonly own: boolean }) {
  const { place, totalScore } = mate;
  const t = useTexts(texts);
  const format = useFormat();
  return (
    <li className={classes.row} value={place} data-own={own || undefined}>
      <span className={classes.rank}>{format.number(place)}</span>
      <span className={classes.name}>
        <StudentName of={mate} />
        {own && <span className={classes.you}>{t('you')}</span>}
      </span>
      <span className={classes.points}>
        <span aria-hidden>{format.number(totalScore)}</span>
        <span className="visually-hidden">{t('pointsUnit', { count: totalScore })}</span>
      </span>
    </li>
  );
}

interface OthersProps {
  readonly classmates: readonly RowOf<'listClassmates'>[];
  readonly ownId: number;
  /** True when `mates` is the whole class, so that there is no ranking above. */
  readonly isAll: boolean;
}

/** Lists the classmates without a shown place, by name, so that nobody can see who is last. */
function Others({ classmates, ownId, isAll }: OthersProps) {
  const t = useTexts(texts);
  return (
    <section aria-labelledby="others">
      <h2 id="others" className={isAll ? 'visually-hidden' : classes.othersTitle}>
        {t(isAll ? 'title' : 'others')}
      </h2>
      <ul className={classes.others}>
        {classmates.toSorted(byName).map((mate) => (
          <li key={mate.id} data-own={mate.id === ownId || undefined}>
            <span>
              <StudentName of={mate} />
            </span>
            {mate.id === ownId && <span className={classes.you}>{t('you')}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}
