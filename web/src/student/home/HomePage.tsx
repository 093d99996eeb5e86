import { Box, Group, Skeleton, Text } from '@mantine/core';
import { IconChevronRight, IconSparkles, IconTrophy } from '@tabler/icons-react';
import { lazy, type ReactNode } from 'react';
import { useOperation } from '../../api/queries.ts';
import { EmptyState } from '../../components/EmptyState.tsx';
import { LazyBoundary } from '../../components/ErrorBoundary.tsx';
import { LoadingOrError } from '../../components/LoadingOrError.tsx';
import { PageHeader } from '../../components/PageHeader.tsx';
import { ScoreText } from '../../components/ScoreText.tsx';
import { useFormat } from '../../i18n/format.ts';
import { useTexts } from '../../i18n/texts.ts';
import { Card, Medal } from '../Card.tsx';
import { ownRankOf } from '../class-ranking.ts';
import { useStudent } from '../me.ts';
import { RecordList } from '../RecordList.tsx';
import { type Tab, TabLink } from '../tab.tsx';
import classes from './HomePage.module.css';
import { texts } from './texts.ts';

const TrendCard = lazy(() => import('./TrendCard.tsx'));

const refreshOptions = { refetchInterval: 60_000 };

export function HomePage() {
  const t = useTexts(texts);
  const me = useStudent();
  // Refetches regularly while this page is open; the whole app shows the result.
  useOperation('getStudentMe', {}, refreshOptions);
  return (
    <>
      <PageHeader
        title={t('hello', { name: me.actualName })}
        description={`${me.gradeName} · ${me.className}`}
      />
      <div className={classes.grid}>
        <Totals />
        <RankCard />
        {me.scoreCount > 0 && (
          <LazyBoundary
            fallback={
              <Card title={t('trend')}>
                <Skeleton height={116} />
              </Card>
            }
          >
            <TrendCard />
          </LazyBoundary>
        )}
        <Latest />
      </div>
    </>
  );
}

function Totals() {
  const t = useTexts(texts);
  const format = useFormat();
  const { totalScore, addScore, deductScore, scoreCount } = useStudent();
  const parts = [
    [t('plus'), <ScoreText key="plus" value={addScore} />],
    [t('minus'), <ScoreText key="minus" value={deductScore} />],
    [t('count'), format.number(scoreCount)],
  ] as const;
  return (
    <Card
      title={t('total')}
      bg="radial-gradient(120% 120% at 100% 0%, var(--app-accent-soft), transparent 75%), var(--app-surface)"
    >
      <Text fz="clamp(3.25rem, 17vw, 4.5rem)" fw={700} lh={1.05} lts="-0.03em" c="var(--app-accent)">
        {format.number(totalScore)}
      </Text>
      {scoreCount > 0 && (
        <Group component="dl" gap="8px 24px" mt="md" mb={0}>
          {parts.map(([name, value]) => (
            <div key={name}>
              <Text component="dt" fz="0.8125rem" c="dimmed">
                {name}
              </Text>
              <Text component="dd" fz="1.25rem" fw={600}>
                {value}
              </Text>
            </div>
          ))}
        </Group>
      )}
    </Card>
  );
}

function RankCard() {
  const t = useTexts(texts);
  const format = useFormat();
  const { id } = useStudent();
  const classmates = useOperation('listClassmates', {}, refreshOptions);
  const own = classmates.data && ownRankOf(classmates.data, id);
  const { place = null } = own ?? {};
  // For a student far behind, the place is small and below the words that say how to move up.
  const isClimbing = own?.situation === 'climbing';
  const shownPlace = place !== null && own && own.situation !== 'alone' && own.situation !== 'level' && (
    <Text c="dimmed" fz={isClimbing ? 'sm' : 'md'}>
      {isClimbing ? (
        t('place', { rank: format.number(place) })
      ) : (
        <Text component="strong" fz="2rem" fw={700} lh={1.2} lts="-0.02em" c="var(--mantine-color-text)">
          {t('place', { rank: format.number(place) })}
        </Text>
      )}{' '}
      {t('ofClass', { count: own.size })}
    </Text>
  );
  return (
    <Card
      title={t(isClimbing && place === null ? 'myClass' : 'rank')}
      pos="relative"
      display="flex"
      style={{ flexDirection: 'column' }}
    >
      {own && place !== null && ['first', 'podium'].includes(own.situation) && (
        <Box pos="absolute" top={16} right={16} aria-hidden>
          <Medal place={place}>
            <IconTrophy size={22} stroke={1.8} />
          </Medal>
        </Box>
      )}
      {classmates.isPending && <Skeleton height={92} />}
      {classmates.isError && !classmates.data && <Text c="dimmed">{t('rankFailed')}</Text>}
      {!isClimbing && shownPlace}
      {own && (
        <Text my={6} {...(isClimbing && { fz: '1.25rem', fw: 650, lh: 1.35 })}>
          {t(own.situation)}
          {own.pointsToNext !== null && (
            <Text span display="block" mt={isClimbing ? 4 : 0}>
              {t(place === null ? 'toFront' : 'toNext', { count: own.pointsToNext })}
            </Text>
          )}
        </Text>
      )}
      {isClimbing && shownPlace}
      <MoreLink to="class">{t('toClass')}</MoreLink>
    </Card>
  );
}

function Latest() {
  const t = useTexts(texts);
  const latest = useOperation('listOwnScores', { query: { limit: 5 } }, refreshOptions);
  const { data } = latest;
  return (
    <Card title={t('latest')}>
      {!data && <LoadingOrError of={[latest]} rows={5} />}
      {data?.length === 0 && <EmptyState icon={IconSparkles} title={t('empty')} hint={t('emptyHint')} />}
      {data && data.length > 0 && (
        <>
          <RecordList records={data} withDay />
          <MoreLink to="records">{t('toRecords')}</MoreLink>
        </>
      )}
    </Card>
  );
}

function MoreLink({ to, children }: { readonly to: Tab; readonly children: ReactNode }) {
  return (
    <TabLink to={to} className={classes.more}>
      {children}
      <IconChevronRight aria-hidden size={16} />
    </TabLink>
  );
}
