import type { Credential, Permission } from '@classledger/contract';
import {
  Box,
  Button,
  Code,
  DataList,
  Group,
  Modal,
  Paper,
  SegmentedControl,
  SimpleGrid,
  Stack,
  Text,
  Title,
} from '@mantine/core';
import { IconArrowLeft, IconCheck, IconLock } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import type { DataOf } from '../../../api/operation-types.ts';
import { useOperation } from '../../../api/queries.ts';
import type { DialogProps } from '../../../components/ConfirmDialog.tsx';
import { Hint } from '../../../components/Hint.tsx';
import { LoadingOrError } from '../../../components/LoadingOrError.tsx';
import { useIsPhone } from '../../../components/use-is-phone.ts';
import { useLanguage, useTexts } from '../../../i18n/texts.ts';
import { useSchool } from '../../school.tsx';
import type { ChosenScope } from './credential-form.ts';
import { permissionTexts } from './permission-texts.ts';
import { texts } from './texts.ts';

type Simulation = DataOf<'simulateCredential'>;

interface SimulationDialogProps extends DialogProps {
  readonly credential: Credential;
}

/** Shows what an issued credential sees. */
export function SimulationDialog({ credential: { id, name }, opened, onClose }: SimulationDialogProps) {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const onPhone = useIsPhone();
  const query = useOperation(
    'simulateIssuedCredential',
    { params: { id }, query: { schoolDb } },
    { enabled: opened },
  );
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      size="xl"
      fullScreen={onPhone}
      title={t('whatItSeesOf', { name })}
    >
      <SimulationView query={query} />
    </Modal>
  );
}

interface FormSimulationProps {
  readonly scope: ChosenScope;
  readonly permissions: readonly Permission[];
  readonly onBack: () => void;
}

/** Shows what a credential would see that is not issued yet. */
export function FormSimulation({ scope, permissions, onBack }: FormSimulationProps) {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const { type, gradeId, classId } = scope;
  const query = useOperation('simulateCredential', {
    query: {
      schoolDb,
      scopeType: type,
      scopes: permissions.join(','),
      scopeGradeId: (type === 'grade' && gradeId) || undefined,
      scopeClassId: (type === 'class' && classId) || undefined,
    },
  });
  return (
    <>
      <Group mb="md">
        <Button
          variant="default"
          leftSection={<IconArrowLeft aria-hidden size={16} />}
          onClick={onBack}
          data-autofocus
        >
          {t('backToForm')}
        </Button>
      </Group>
      <SimulationView query={query} />
    </>
  );
}

function SimulationView({ query }: { readonly query: UseQueryResult<Simulation> }) {
  const t = useTexts(texts);
  const { data } = query;
  if (!data) return <LoadingOrError of={[query]} rows={8} />;
  return (
    <Stack gap="lg">
      <Hint>{t('intro')}</Hint>
      <Figures simulation={data} />
      <Reached grades={data.grades} />
      <Calls operations={data.operations} />
    </Stack>
  );
}

const border = '1px solid var(--app-line)';

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
    <SimpleGrid component="dl" cols={{ base: 2, sm: 4 }} spacing="sm" m={0}>
      {figures.map(([name, value]) => (
        <Paper key={name} radius="md" withBorder px="md" py={12}>
          <Hint component="dt">{t(name)}</Hint>
          <Text component="dd" m={0} fz={22} fw={600} lh={1.3} style={{ whiteSpace: 'nowrap' }}>
            {value}
          </Text>
        </Paper>
      ))}
    </SimpleGrid>
  );
}

function Reached({ grades }: { readonly grades: Simulation['grades'] }) {
  const t = useTexts(texts);
  const onPhone = useIsPhone();
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
      <DataList
        size="md"
        gap={8}
        mt={8}
        mah={260}
        orientation={onPhone ? 'vertical' : 'horizontal'}
        style={{ overflowY: 'auto' }}
        tabIndex={0}
        aria-label={t('reached')}
      >
        {grades.map((grade) => (
          <DataList.Item key={grade.id}>
            <DataList.ItemLabel fw={600} c="var(--mantine-color-text)">
              {grade.name}
            </DataList.ItemLabel>
            <Group component="dd" gap={6} m={0} fz="sm">
              {grade.classes.length === 0 && (
                <Text span inherit c="dimmed">
                  {t('gradeEmpty')}
                </Text>
              )}
              {grade.classes.map(({ id, name, studentCount: count }) => (
                <Text key={id} span inherit px={10} py={2} bd={border} bdrs="md" bg="var(--app-background)">
                  {t('classWith', { name, count })}
                </Text>
              ))}
            </Group>
          </DataList.Item>
        ))}
      </DataList>
    </section>
  );
}

const choices = ['all', 'allowed', 'refused'] as const;

function Calls({ operations }: { readonly operations: Simulation['operations'] }) {
  const t = useTexts(texts);
  const [chosen, choose] = useState<(typeof choices)[number]>('all');
  const inChinese = useLanguage() === 'zh-CN';
  const shown = operations.filter(({ allowed }) => chosen === 'all' || allowed === (chosen === 'allowed'));
  const chapters = Map.groupBy(shown, ({ tag }) => tag);
  return (
    <section>
      <Title order={3} size="h4" mb="xs">
        {t('calls')}
      </Title>
      <SegmentedControl
        aria-label={t('show')}
        value={chosen}
        onChange={choose}
        data={choices.map((value) => ({ value, label: t(value) }))}
        mb="sm"
      />
      <Stack gap="md">
        {[...chapters].map(([tag, all]) => (
          <section key={tag}>
            <Title order={4} size="h6" mb={6}>
              {inChinese ? all[0]?.tagInChinese : tag}
            </Title>
            <Paper component="ul" className="ruled" radius="md" bd={border} m={0} p={0}>
              {all.map((one) => (
                <Stack key={one.operation} component="li" gap={2} px={14} py={10}>
                  <OperationLine operation={one} inChinese={inChinese} />
                </Stack>
              ))}
            </Paper>
          </section>
        ))}
      </Stack>
    </section>
  );
}

type Operation = Simulation['operations'][number];

interface OperationLineProps {
  readonly operation: Operation;
  readonly inChinese: boolean;
}

function OperationLine({ operation, inChinese }: OperationLineProps) {
  const t = useTexts(texts);
  const p = useTexts(permissionTexts);
  const { method, path, allowed, missing, permission, scopeTypes, sample, real } = operation;
  const Verdict = allowed ? IconCheck : IconLock;
  return (
    <>
      <Group gap="md" wrap="nowrap" align="flex-start" justify="space-between">
        <Box miw={0}>
          <div>{inChinese ? operation.summaryInChinese : operation.summary}</div>
          <Hint ff="monospace" style={{ overflowWrap: 'anywhere' }}>
            {method} {path}
          </Hint>
          {!allowed && (
            <Hint>
              {missing === 'permission'
                ? t('needsPermission', { permission: p(permission as Permission) })
                : t(scopeTypes.includes('grade') ? 'needsGrade' : 'needsSchool')}
            </Hint>
          )}
        </Box>
        <Group
          gap={4}
          wrap="nowrap"
          flex="none"
          fz="sm"
          fw={600}
          c={`var(--app-${allowed ? 'plus' : 'minus'})`}
        >
          <Verdict aria-hidden size={16} />
          {t(allowed ? 'allowed' : 'refused')}
        </Group>
      </Group>
      {sample !== null && (
        <details>
          <Text component="summary" size="sm" c="var(--app-accent)" w="fit-content" py={4} style={clickable}>
            {t(real ? 'answer' : 'example')}
          </Text>
          <Hint>{t(real ? 'answerHint' : 'exampleHint')}</Hint>
          <Code
            block
            mah={320}
            mt={4}
            bdrs="md"
            bg="var(--app-background)"
            style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
            tabIndex={0}
          >
            {JSON.stringify(JSON.parse(sample), null, 2)}
          </Code>
        </details>
      )}
    </>
  );
}

const clickable = { cursor: 'pointer' };
