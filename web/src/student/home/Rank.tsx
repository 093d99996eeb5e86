import { Skeleton } from '@mantine/core';
import { IconChevronRight, IconTrophy } from '@tabler/icons-react';
import { useOperation } from '../../api/queries.ts';
import { useFormat } from '../../i18n/format.ts';
import { useTexts } from '../../i18n/texts.ts';
import { Card } from '../Card.tsx';
import { useStudent } from '../me.ts';
import { standingOf } from '../standing.ts';
import { TabLink } from '../TabLink.tsx';
import classes from './HomePage.module.css';
import { texts } from './texts.ts';

/** The place in the class, said kindly. */
export function Rank() {
  const t = useTexts(texts);
  const format = useFormat();
  const { id } = useStudent();
  const mates = useOperation('listClassmates', {}, { refetchInterval: 60_000 });
  const standing = mates.data && standingOf(mates.data, id);
  const showsRank = standing && standing.mood !== 'alone' && standing.mood !== 'level';
  return (
    <Card
      title={t('rank')}
      className={classes.rank}
      aside={
        standing &&
        ['first', 'podium'].includes(standing.mood) && (
          <span className={classes.medal} data-rank={standing.rank}>
            <IconTrophy aria-hidden size={22} stroke={1.8} />
          </span>
        )
      }
    >
      {mates.isPending && <Skeleton height={92} />}
      {mates.isError && !mates.data && <p className={classes.quiet}>{t('rankFailed')}</p>}
      {showsRank && (
        // Who is further behind reads first how it goes on.
        <p className={classes.place} data-quiet={standing.mood === 'climbing' || undefined}>
          <strong>{t('place', { rank: format.number(standing.rank) })}</strong>{' '}
          <span>{t('ofClass', { count: standing.size })}</span>
        </p>
      )}
      {standing && (
        <p className={classes.word}>
          {t(standing.mood)}
          {showsRank && standing.toNext !== null && (
            <span className={classes.next}>{t('toNext', { count: standing.toNext })}</span>
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
