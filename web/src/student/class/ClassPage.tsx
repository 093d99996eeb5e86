import { Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import type { RowOf } from '../../api/operation-types.ts';
import { useOperation } from '../../api/queries.ts';
import { EmptyState } from '../../components/EmptyState.tsx';
import { LoadingOrError } from '../../components/LoadingOrError.tsx';
import { PageHeader } from '../../components/PageHeader.tsx';
import { StudentName } from '../../components/StudentName.tsx';
import { StudentNamesContext, useDistinctStudentNames } from '../../components/student-names.ts';
import { useFormat } from '../../i18n/format.ts';
import { byName } from '../../i18n/name-order.ts';
import { useTexts } from '../../i18n/texts.ts';
import { Medal } from '../Card.tsx';
import { classRanking, isTied, type RankedClassmate } from '../class-ranking.ts';
import { useStudent } from '../me.ts';
import classes from './ClassPage.module.css';
import { texts } from './texts.ts';

export default function ClassPage() {
  const t = useTexts(texts);
  const { id, gradeName, className } = useStudent();
  const classmates = useOperation('listClassmates', {}, { refetchInterval: 60_000 });
  const { data } = classmates;
  const level = data !== undefined && isTied(data);
  const alone = data?.length === 1;
  const { podium, ranked, others } = classRanking(data ?? []);
  return (
    <StudentNamesContext value={useDistinctStudentNames(data)}>
      <PageHeader
        title={t('title')}
        description={[
          gradeName,
          className,
          ...(data ? [t('studentCount', { count: data.length })] : []),
        ].join(' · ')}
      />
      {!data && <LoadingOrError of={[classmates]} rows={8} height={52} />}
      {alone && <EmptyState icon={IconUsers} title={t('alone')} hint={t('aloneHint')} />}
      {level && (
        <Paper radius="md" bg="var(--app-accent-soft)" px="md" py="sm" mb={14}>
          {t('level')}
        </Paper>
      )}
      {podium.length > 0 && <Podium places={podium} ownId={id} />}
      {!alone && ranked.length > 0 && (
        <Paper component="ol" withBorder className="plain-list ruled" aria-label={t('title')}>
          {ranked.map((place) => (
            <RankRow key={place.id} mate={place} own={place.id === id} />
          ))}
        </Paper>
      )}
      {!alone && others.length > 0 && (
        <Others classmates={others} ownId={id} isAll={others.length === data?.length} />
      )}
    </StudentNamesContext>
  );
}

function Podium({ places, ownId }: { readonly places: readonly RankedClassmate[]; readonly ownId: number }) {
  const t = useTexts(texts);
  const format = useFormat();
  return (
    <ol className={`plain-list ${classes.podium}`} aria-label={t('podium')}>
      {places.map((mate, index) => {
        const { id, place, totalScore } = mate;
        return (
          // The best stands in the middle.
          <Stack
            key={id}
            component="li"
            align="center"
            gap={4}
            ta="center"
            style={{ order: [2, 1, 3][index] }}
          >
            <Text span fw={600} lh={1.3}>
              <StudentName of={mate} />
            </Text>
            {id === ownId && <span className={classes.you}>{t('you')}</span>}
            <Stack
              align="center"
              gap={6}
              w="100%"
              mt={4}
              p={place === 1 ? '22px 4px 34px' : place === 2 ? '16px 4px 22px' : '14px 4px'}
              bd={`1px solid var(${id === ownId ? '--app-accent' : '--app-line'})`}
              bdrs="lg"
              bg="linear-gradient(var(--app-surface), var(--app-accent-soft))"
              fw={600}
            >
              <Medal place={place}>{format.number(place)}</Medal>
              {t('pointsUnit', { count: totalScore })}
            </Stack>
          </Stack>
        );
      })}
    </ol>
  );
}

function RankRow({ mate, own }: { readonly mate: RankedClassmate; readonly own: boolean }) {
  const { place, totalScore } = mate;
  const t = useTexts(texts);
  const format = useFormat();
  return (
    <li className={classes.row} value={place} data-own={own || undefined}>
      <Text span w="2.2em" ta="center" c="dimmed">
        {format.number(place)}
      </Text>
      <Text span flex={1} miw={0} fw={500}>
        <StudentName of={mate} />
        {own && <span className={classes.you}>{t('you')}</span>}
      </Text>
      <Text span pos="relative" fw={600}>
        <span aria-hidden>{format.number(totalScore)}</span>
        <span className="visually-hidden">{t('pointsUnit', { count: totalScore })}</span>
      </Text>
    </li>
  );
}

interface OthersProps {
  readonly classmates: readonly RowOf<'listClassmates'>[];
  readonly ownId: number;
  /** True when `classmates` is the whole class, so that there is no ranking above. */
  readonly isAll: boolean;
}

/** Lists the classmates without a shown place, by name, so that nobody can see who is last. */
function Others({ classmates, ownId, isAll }: OthersProps) {
  const t = useTexts(texts);
  return (
    <section aria-labelledby="others">
      <Title
        order={2}
        id="others"
        {...(isAll ? { className: 'visually-hidden' } : { m: '22px 0 8px 4px', fz: 'sm', c: 'dimmed' })}
      >
        {t(isAll ? 'title' : 'others')}
      </Title>
      <SimpleGrid
        renderRoot={(props) => <ul {...props} />}
        className="plain-list"
        minColWidth="min(150px, 100%)"
        spacing={8}
      >
        {classmates.toSorted(byName).map((mate) => (
          <Paper
            key={mate.id}
            component="li"
            withBorder
            radius="md"
            px={14}
            py={8}
            {...(mate.id === ownId && { style: { borderColor: 'var(--app-accent)' } })}
          >
            <Group justify="space-between" gap={0} wrap="nowrap" h="100%">
              <Text span miw={0}>
                <StudentName of={mate} />
              </Text>
              {mate.id === ownId && <span className={classes.you}>{t('you')}</span>}
            </Group>
          </Paper>
        ))}
      </SimpleGrid>
    </section>
  );
}
