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

/** The place in the class, said kindly. */
export function Rank() {
  const t = useTexts(texts);
  const format = useFormat();
  const { id } = useStudent();
  const mates = useOperation('listClassmates', {}, { refetchInterval: 60_000 });
  const own = mates.data && ownRankOf(mates.data, id);
  const showsRank = own && own.mood !== 'alone' && own.mood !== 'level';
  return (
    <Card
      title={t('rank')}
      className={classes.rank}
      aside={
        own &&
        ['first', 'podium'].includes(own.mood) && (
          <span className={classes.medal} data-rank={own.rank}>
            <IconTrophy aria-hidden size={22} stroke={1.8} />
          </span>
        )
      }
    >
      {mates.isPending && <Skeleton height={92} />}
      {mates.isError && !mates.data && <p className={classes.quiet}>{t('rankFailed')}</p>}
      {showsRank && (
        // Who is further behind reads first how it goes on.
        <p className={classes.place} data-quiet={own.mood === 'climbing' || undefined}>
          <strong>{t('place', { rank: format.number(own.rank) })}</strong>{' '}
          <span>{t('ofClass', { count: own.size })}</span>
        </p>
      )}
      {own && (
        <p className={classes.word}>
          {t(own.mood)}
          {showsRank && own.toNext !== null && (
            <span className={classes.next}>{t('toNext', { count: own.toNext })}</span>
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
