import { Skeleton } from '@mantine/core';
import { IconChevronRight, IconTrophy } from '@tabler/icons-react';
import { useOperation } from '../../api/queries.ts';
import { useFormat } from '../../i18n/format.ts';
import { useTexts } from '../../i18n/texts.ts';
import { Card } from '../Card.tsx';
import { useStudent } from '../me.ts';
import { ownRankOf } from '../own-rank.ts';
import { TabLink } from '../TabLink.tsx';
import classes from './HomePage.module.css';
import { texts } from './texts.ts';

export function RankCard() {
  const t = useTexts(texts);
  const format = useFormat();
  const { id } = useStudent();
  const classmates = useOperation('listClassmates', {}, { refetchInterval: 60_000 });
  const own = classmates.data && ownRankOf(classmates.data, id);
  const { place = null } = own ?? {};
  const showsPlace = place !== null && own && own.situation !== 'alone' && own.situation !== 'level';
  return (
    <Card
      title={t(own?.situation === 'climbing' && place === null ? 'myClass' : 'rank')}
      className={classes.rank}
      aside={
        own &&
        ['first', 'podium'].includes(own.situation) && (
          <span className={classes.medal} data-rank={own.place}>
            <IconTrophy aria-hidden size={22} stroke={1.8} />
          </span>
        )
      }
    >
      {classmates.isPending && <Skeleton height={92} />}
      {classmates.isError && !classmates.data && <p className={classes.quiet}>{t('rankFailed')}</p>}
      {showsPlace && (
        // For a student far behind, the place is small and below the words that say how to move up.
        <p className={classes.place} data-quiet={own.situation === 'climbing' || undefined}>
          <strong>{t('place', { rank: format.number(place) })}</strong>{' '}
          <span>{t('ofClass', { count: own.size })}</span>
        </p>
      )}
      {own && (
        <p className={classes.word}>
          {t(own.situation)}
          {own.pointsToNext !== null && (
            <span className={classes.next}>
              {t(place === null ? 'toFront' : 'toNext', { count: own.pointsToNext })}
            </span>
          )}
        </p>
      )}
      <TabLink to="class" className={classes.more}>
        {t('toClass')}
        <IconChevronRight aria-hidden size={16} />
      </TabLink>
    </Card>
  );
}
