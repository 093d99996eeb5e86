import { Box, Button, Group, Paper, SegmentedControl, Stack, Text, Title } from '@mantine/core';
import { IconListDetails } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { callList } from '../../api/call.ts';
import { EmptyState } from '../../components/EmptyState.tsx';
import { FailureAlert } from '../../components/FailureAlert.tsx';
import { LoadingOrError } from '../../components/LoadingOrError.tsx';
import { PageHeader } from '../../components/PageHeader.tsx';
import { SchoolTimeNote } from '../../components/SchoolTimeNote.tsx';
import { ScoreText } from '../../components/ScoreText.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { useSchoolTime } from '../../school-time/school-time.ts';
import { RecordList, useDayName } from '../RecordList.tsx';
import { groupByDay } from './group-by-day.ts';
import { texts } from './texts.ts';

const filters = ['all', 'plus', 'minus'] as const;
type Filter = (typeof filters)[number];

const pageSize = 30;

export default function RecordsPage() {
  const t = useTexts(texts);
  const [filter, setFilter] = useState<Filter>('all');
  return (
    <>
      <PageHeader title={t('title')} description={t('description')} />
      <SegmentedControl
        fullWidth
        aria-label={t('filter')}
        value={filter}
        onChange={(value) => setFilter(value as Filter)}
        data={filters.map((value) => ({ value, label: t(value) }))}
      />
      <Records key={filter} filter={filter} />
    </>
  );
}

function useOwnScores(filter: Filter) {
  return useInfiniteQuery({
    queryKey: ['listOwnScores', 'pages', filter],
    queryFn: ({ pageParam }) =>
      callList('listOwnScores', {
        query: { page: pageParam, limit: pageSize, type: filter === 'all' ? undefined : filter },
      }),
    initialPageParam: 1,
    getNextPageParam: ({ total }, pages) => (pages.length * pageSize < total ? pages.length + 1 : undefined),
  });
}

function Records({ filter }: { readonly filter: Filter }) {
  const t = useTexts(texts);
  const dayName = useDayName();
  const { dayOf } = useSchoolTime();
  const scores = useOwnScores(filter);
  if (!scores.data) {
    return (
      <Box mt={14}>
        <LoadingOrError of={[scores]} rows={8} height={48} />
      </Box>
    );
  }
  const { pages } = scores.data;
  const days = groupByDay(
    pages.flatMap(({ rows }) => rows),
    dayOf,
  );
  const total = pages.at(-1)?.total ?? 0;
  if (days.length === 0) {
    return (
      <EmptyState
        icon={IconListDetails}
        title={t(filter === 'all' ? 'empty' : filter === 'plus' ? 'emptyPlus' : 'emptyMinus')}
        hint={t(filter === 'minus' ? 'emptyMinusHint' : 'emptyHint')}
      />
    );
  }
  return (
    <Stack gap={14} mt={14}>
      <Text fz="sm" c="dimmed" role="status">
        {t('records', { count: total })}
      </Text>
      {days.map(({ day, records, sum }, i) => {
        // Shows no sum for the last day until its remaining records, which may be on the next page, are loaded.
        const complete = i < days.length - 1 || !scores.hasNextPage;
        return (
          <section key={day} aria-labelledby={`day-${day}`}>
            <Group justify="space-between" align="flex-start" gap="sm" m="4px 18px 6px" fz="sm">
              <Title order={2} id={`day-${day}`} fz="inherit" fw={600} lh="inherit" c="dimmed">
                {dayName(records[0]?.createdAt ?? day)}
              </Title>
              {complete && records.length > 1 && <ScoreText value={sum} />}
            </Group>
            <Paper withBorder px={18} py={2}>
              <RecordList records={records} />
            </Paper>
          </section>
        );
      })}
      <SchoolTimeNote />
      {scores.isFetchNextPageError && <FailureAlert error={scores.error} />}
      {scores.hasNextPage && (
        <Button
          variant="default"
          size="md"
          fullWidth
          loading={scores.isFetchingNextPage}
          onClick={() => void scores.fetchNextPage()}
        >
          {scores.isFetchNextPageError ? t('retry') : t('showMore')}
        </Button>
      )}
    </Stack>
  );
}
