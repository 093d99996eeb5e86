import { limits } from 'virtual:contract';
import type { GradeSummary } from '@classledger/contract';
import { Box, Button, Flex, Group, Paper, Select, Stack, Text, TextInput, Title } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import { useId } from 'react';
import { Hint } from '../../../components/Hint.tsx';
import { useForm } from '../../../components/use-form.ts';
import { useTexts } from '../../../i18n/texts.ts';
import {
  commonTargetGrade,
  type PreviewedClass,
  type PromotionDraft,
  type PromotionPreview,
  setTargetGrade,
  setTargetName,
  studentCountOf,
} from './promotion-draft.ts';
import { texts } from './texts.ts';

interface PlanStepProps {
  readonly proposal: PromotionPreview;
  readonly grades: readonly GradeSummary[];
  readonly draft: PromotionDraft;
  readonly onChange: (draft: PromotionDraft) => void;
  readonly onNext: () => void;
  readonly pending: boolean;
}

export function PlanStep({ proposal, grades, draft, onChange, onNext, pending }: PlanStepProps) {
  const t = useTexts(texts);
  const targets = [...draft.targets.values()];
  const isGraded = targets.some(({ gradeId }) => gradeId === null);
  const { form, shown } = useForm(
    {
      names: targets.some(({ name }) => name.trim() === '') && t('nameMissing'),
      graduated: isGraded && draft.graduatedGradeName.trim() === '' && t('required'),
    },
    onNext,
  );
  return (
    <form {...form}>
      <Stack component="ul" gap={14} m={0} p={0}>
        {[...Map.groupBy(proposal.classes, ({ gradeId }) => gradeId).values()].map((own) => (
          <GradePlan
            key={own[0]?.gradeId}
            classes={own}
            grades={grades}
            draft={draft}
            onChange={onChange}
            nameFault={shown.names}
          />
        ))}
      </Stack>
      {isGraded && (
        <TextInput
          mt="md"
          maw={420}
          label={t('graduatedGrade')}
          description={t('graduatedGradeHint')}
          value={draft.graduatedGradeName}
          onChange={(event) => onChange({ ...draft, graduatedGradeName: event.currentTarget.value })}
          maxLength={limits.nameLengthMax}
          autoComplete="off"
          error={shown.graduated}
        />
      )}
      <Group justify="flex-end" mt="lg">
        <Button type="submit" loading={pending} rightSection={<IconArrowRight aria-hidden size={16} />}>
          {t('check')}
        </Button>
      </Group>
    </form>
  );
}

interface GradePlanProps extends Pick<PlanStepProps, 'grades' | 'draft' | 'onChange'> {
  readonly classes: readonly PreviewedClass[];
  readonly nameFault: string | false | undefined;
}

const border = '1px solid var(--app-line)';

/** The columns of a line. On a phone, the fields stand below each other. */
const line = {
  direction: { base: 'column', sm: 'row' },
  align: { sm: 'center' },
  gap: '8px 12px',
  px: 14,
} as const;
const nameColumn = { sm: '1.2 1 calc(7em + 12px)' };
const targetColumn = { sm: '1.6 1 0' };
const newNameColumn = { sm: '1.2 1 0' };

function GradePlan({ classes: own, grades, draft, onChange, nameFault }: GradePlanProps) {
  const t = useTexts(texts);
  const headingId = useId();
  const { gradeId = 0, gradeName = '' } = own[0] ?? {};
  return (
    <Paper component="li" display="block" bd={border} aria-labelledby={headingId}>
      <Flex {...line} py={10}>
        <Box flex={nameColumn}>
          <Title order={2} size="h4" id={headingId}>
            {gradeName}
          </Title>
          <Hint>
            {`${t('classes', { count: own.length })} · ${t('studentCount', { count: studentCountOf(own) })}`}
          </Hint>
        </Box>
        <TargetSelect
          label={t('targetOfGrade', { grade: gradeName })}
          grades={grades}
          gradeId={gradeId}
          value={commonTargetGrade(draft, own)}
          onChange={(target) => onChange(setTargetGrade(draft, own, target))}
        />
        <Hint flex={newNameColumn} visibleFrom="sm" style={{ alignSelf: 'end' }} aria-hidden>
          {t('newName')}
        </Hint>
      </Flex>
      <Box component="ul" m={0} p={0}>
        {own.map((one) => {
          const target = draft.targets.get(one.classId);
          const label = `${gradeName} ${one.className}`;
          return (
            <Flex key={one.classId} component="li" {...line} py={6} style={{ borderTop: border }}>
              <Group flex={nameColumn} gap={12} wrap="nowrap">
                <Text flex={1} miw={0} fw={500} style={{ overflowWrap: 'anywhere' }}>
                  {one.className}
                </Text>
                <Hint w={{ sm: '7em' }}>{t('studentCount', { count: one.students })}</Hint>
              </Group>
              <TargetSelect
                label={t('targetOf', { name: label })}
                grades={grades}
                gradeId={gradeId}
                value={target?.gradeId}
                onChange={(wanted) => onChange(setTargetGrade(draft, [one], wanted))}
              />
              <TextInput
                flex={newNameColumn}
                miw={0}
                aria-label={t('newNameOf', { name: label })}
                value={target?.name ?? ''}
                onChange={(event) => onChange(setTargetName(draft, one.classId, event.currentTarget.value))}
                maxLength={limits.nameLengthMax}
                autoComplete="off"
                error={target?.name.trim() === '' && nameFault}
              />
            </Flex>
          );
        })}
      </Box>
    </Paper>
  );
}

interface TargetSelectProps {
  readonly label: string;
  readonly grades: readonly GradeSummary[];
  readonly gradeId: number;
  readonly value: number | null | undefined;
  readonly onChange: (gradeId: number | null) => void;
}

const graduates = 'graduates';

function TargetSelect({ label, grades, gradeId, value, onChange }: TargetSelectProps) {
  const t = useTexts(texts);
  const options = grades.map(({ id, name }) => ({
    value: id,
    label: id === gradeId ? t('stays', { grade: name }) : t('movesTo', { grade: name }),
  }));
  return (
    <Select<number | typeof graduates>
      aria-label={label}
      flex={targetColumn}
      miw={0}
      placeholder={t('several')}
      data={[...options, { value: graduates, label: t('graduates') }]}
      value={value === null ? graduates : (value ?? null)}
      onChange={(chosen) => {
        if (chosen !== null) onChange(chosen === graduates ? null : chosen);
      }}
      allowDeselect={false}
    />
  );
}
