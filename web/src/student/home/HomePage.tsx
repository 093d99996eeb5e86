import { IconChevronRight, IconSparkles } from '@tabler/icons-react';
import { useOperation } from '../../api/queries.ts';
import { EmptyState } from '../../components/EmptyState.tsx';
import { ErrorState } from '../../components/ErrorState.tsx';
import { LoadingRows } from '../../components/LoadingRows.tsx';
import { PageHeader } from '../../components/PageHeader.tsx';
import { useFormat } from '../../i18n/format.ts';
import { useTexts } from '../../i18n/texts.ts';
import { Card } from '../Card.tsx';
import { useStudent } from '../me.ts';
import { RecordList } from '../RecordList.tsx';
import { TabLink } from '../TabLink.tsx';
import classes from './HomePage.module.css';
import { RankCard } from './RankCard.tsx';
import { TrendCard } from './TrendCard.tsx';
import { texts } from './texts.ts';

export function HomePage() {
  const t = useTexts(texts);
  const me = useStudent();
  const hasRecords = me.scoreCount > 0;
  // Refetches regularly while this page is open; the whole app shows the result.
  useOperation('getStudentMe', {}, { refetchInterval: 60_000 });
  return (
    <>
      <PageHeader
        title={t('hello', { name: me.actualName })}
        description={`${me.gradeName} · ${me.className}`}
      />
      <div className={classes.grid}>
        <Totals />
        <RankCard />
        {hasRecords && <TrendCard />}
        <Latest />
      </div>
    </>
  );
}

function Totals() {
  const t = useTexts(texts);
  const format = useFormat();
  const { totalScore, addScore, deductScore, scoreCount } = useStudent();
  return (
    <Card title={t('total')} className={classes.totals}>
      <p className={classes.total}>{format.number(totalScore)}</p>
      <dl className={classes.parts} hidden={scoreCount === 0}>
        <div data-sign={Math.sign(addScore)}>
          <dt>{t('plus')}</dt>
          <dd>{format.signed(addScore)}</dd>
        </div>
        <div data-sign={Math.sign(deductScore)}>
          <dt>{t('minus')}</dt>
          <dd>{format.signed(deductScore)}</dd>
        </div>
        <div>
          <dt>{t('count')}</dt>
          <dd>{format.number(scoreCount)}</dd>
        </div>
      </dl>
    </Card>
  );
}

function Latest() {
  const t = useTexts(texts);
  const latest = useOperation('listOwnScores', { query: { limit: 5 } }, { refetchInterval: 60_000 });
  const { data } = latest;
  return (
    <Card title={t('latest')}>
      {latest.isPending && <LoadingRows rows={5} />}
      {!latest.isPending && !data && (
        <ErrorState compact error={latest.error} onRetry={() => void latest.refetch()} />
      )}
      {data?.length === 0 && (
        <EmptyState compact icon={IconSparkles} title={t('empty')} hint={t('emptyHint')} />
      )}
      {data && data.length > 0 && (
        <>
          <RecordList records={data} withDay />
          <TabLink to="records" className={classes.more}>
            {t('toRecords')}
            <IconChevronRight aria-hidden size={16} />
          </TabLink>
        </>
      )}
    </Card>
  );
}
