import { SegmentedControl, Stack, Text, Title } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import type { DataOf } from '../../../../api/operation-types.ts';
import { ErrorState } from '../../../../components/ErrorState.tsx';
import { LoadingRows } from '../../../../components/LoadingRows.tsx';
import { useTexts } from '../../../../i18n/texts.ts';
import { OperationList } from './OperationList.tsx';
import classes from './Simulation.module.css';
import { texts } from './texts.ts';

type Simulation = DataOf<'simulateCredential'>;
const choices = ['all', 'allowed', 'refused'] as const;

export function SimulationView({ query }: { readonly query: UseQueryResult<Simulation> }) {
  const t = useTexts(texts);
  const { data, error, refetch } = query;
  if (data) {
    return (
      <Stack gap="lg">
        <Text size="sm" c="dimmed">
          {t('intro')}
        </Text>
        <Figures simulation={data} />
        <Reached grades={data.grades} />
        <Calls operations={data.operations} />
      </Stack>
    );
  }
  return error ? <ErrorState compact error={error} onRetry={refetch} /> : <LoadingRows rows={8} />;
}

function Figures({ simulation: { range, operations } }: { readonly simulation: Simulation }) {
  const t = useTexts(texts);
  const some = operations.filter(({ allowed }) => allowed).length;
  const figures = [
    ['grades', range.gradeCount],
    ['classes', range.classCount],
    ['students', range.studentCount],
    ['operations', t('someOfAll', { some, all: operations.length })],
  ] as const;
  return (
    <dl className={classes.figures}>
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt>{t(name)}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Reached({ grades }: { readonly grades: Simulation['grades'] }) {
  const t = useTexts(texts);
  return (
    <section>
      <Title order={3} size="h4">
        {t('reached')}
      </Title>
      {grades.length === 0 && (
        <Text size="sm" mt={4}>
          {t('reachedNothing')}
        </Text>
      )}
      <dl className={classes.grades} tabIndex={0} aria-label={t('reached')}>
        {grades.map((grade) => (
          <Grade key={grade.id} grade={grade} />
        ))}
      </dl>
    </section>
  );
}

function Grade({ grade }: { readonly grade: Simulation['grades'][number] }) {
  const t = useTexts(texts);
  return (
    <>
      <dt>{grade.name}</dt>
      <dd>
        {grade.classes.length === 0 && <span className={classes.quiet}>{t('gradeEmpty')}</span>}
        {grade.classes.map(({ id, name, studentCount: count }) => (
          <span key={id} className={classes.class}>
            {t('classWith', { name, count })}
          </span>
        ))}
      </dd>
    </>
  );
}

function Calls({ operations }: { readonly operations: Simulation['operations'] }) {
  const t = useTexts(texts);
  const [chosen, choose] = useState<(typeof choices)[number]>('all');
  const shown = operations.filter(({ allowed }) => chosen === 'all' || allowed === (chosen === 'allowed'));
  return (
    <section>
      <Title order={3} size="h4" mb="xs">
        {t('calls')}
      </Title>
      <SegmentedControl
        aria-label={t('show')}
        value={chosen}
        onChange={(value) => choose(value as typeof chosen)}
        data={choices.map((value) => ({ value, label: t(value) }))}
        mb="sm"
      />
      <OperationList operations={shown} />
    </section>
  );
}
