import { limits } from 'virtual:contract';
import type { GradeSummary } from '@classledger/contract';
import { Button, Group, Select, Text, TextInput, Title } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import { useId } from 'react';
import { useForm } from '../../../components/use-form.ts';
import { useTexts } from '../../../i18n/texts.ts';
import shared from '../Grades.module.css';
import classes from './Promotion.module.css';
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
      <ul className={shared.grades}>
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
      </ul>
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

function GradePlan({ classes: own, grades, draft, onChange, nameFault }: GradePlanProps) {
  const t = useTexts(texts);
  const headingId = useId();
  const { gradeId = 0, gradeName = '' } = own[0] ?? {};
  return (
    <li className={shared.grade} aria-labelledby={headingId}>
      <div className={classes.gradeHead}>
        <div>
          <Title order={2} size="h4" id={headingId}>
            {gradeName}
          </Title>
          <Text size="sm" c="dimmed">
            {`${t('classes', { count: own.length })} · ${t('studentCount', { count: studentCountOf(own) })}`}
          </Text>
        </div>
        <TargetSelect
          label={t('targetOfGrade', { grade: gradeName })}
          grades={grades}
          gradeId={gradeId}
          value={commonTargetGrade(draft, own)}
          onChange={(target) => onChange(setTargetGrade(draft, own, target))}
        />
        <Text size="sm" c="dimmed" className={`${classes.nameHead} words-on-wide`} aria-hidden>
          {t('newName')}
        </Text>
      </div>
      <ul className={shared.classes}>
        {own.map((one) => {
          const target = draft.targets.get(one.classId);
          const label = `${gradeName} ${one.className}`;
          return (
            <li key={one.classId} className={classes.class}>
              <span className={classes.className}>{one.className}</span>
              <span className={classes.counts}>{t('studentCount', { count: one.students })}</span>
              <TargetSelect
                label={t('targetOf', { name: label })}
                grades={grades}
                gradeId={gradeId}
                value={target?.gradeId}
                onChange={(wanted) => onChange(setTargetGrade(draft, [one], wanted))}
              />
              <TextInput
                aria-label={t('newNameOf', { name: label })}
                value={target?.name ?? ''}
                onChange={(event) => onChange(setTargetName(draft, one.classId, event.currentTarget.value))}
                maxLength={limits.nameLengthMax}
                autoComplete="off"
                error={target?.name.trim() === '' && nameFault}
              />
            </li>
          );
        })}
      </ul>
    </li>
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
    value: String(id),
    label: id === gradeId ? t('stays', { grade: name }) : t('movesTo', { grade: name }),
  }));
  return (
    <Select
      aria-label={label}
      className={classes.target ?? ''}
      placeholder={t('several')}
      data={[...options, { value: graduates, label: t('graduates') }]}
      value={value === undefined ? null : value === null ? graduates : String(value)}
      onChange={(chosen) => {
        if (chosen !== null) onChange(chosen === graduates ? null : Number(chosen));
      }}
      allowDeselect={false}
    />
  );
}
