import { limits } from 'virtual:contract';
import type { ClassSummary } from '@classledger/contract';
import {
  Button,
  Checkbox,
  Fieldset,
  Group,
  Modal,
  Paper,
  Radio,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { type ChangeEvent, useState } from 'react';
import { useOperation } from '../../../api/queries.ts';
import { ConfirmDialog, type DialogProps } from '../../../components/ConfirmDialog.tsx';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { DialogFooter } from '../../../components/FormFooter.tsx';
import { Hint } from '../../../components/Hint.tsx';
import { LoadingOrError } from '../../../components/LoadingOrError.tsx';
import { useForm } from '../../../components/use-form.ts';
import { useIsPhone } from '../../../components/use-is-phone.ts';
import { truncateText } from '../../../i18n/letters.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useSchoolTime } from '../../../school-time/school-time.ts';
import { useManages, useMe } from '../../me.ts';
import { Heading } from '../../page/Page.tsx';
import { useSchool } from '../../school.tsx';
import { schoolYearHalfOf, type TermClosing } from './close-terms.ts';
import { ResultStep } from './ResultStep.tsx';
import { texts } from './texts.ts';

type Draft = Pick<TermClosing, 'action' | 'name'>;

interface CloseTermDialogProps extends DialogProps {
  readonly firstClassId: number | null;
}

export function CloseTermDialog({ opened, onClose, firstClassId }: CloseTermDialogProps) {
  const t = useTexts(texts);
  const onPhone = useIsPhone();
  const me = useMe();
  const { schoolDb } = useSchool();
  const { today } = useSchoolTime();
  const manages = useManages();
  const known = useOperation('listSchoolClasses', { query: { schoolDb } });
  const first = me.classId ?? firstClassId;
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set(first === null ? [] : [first]));
  const [isChoosing, setIsChoosing] = useState(me.classId === null);
  const [draft, setDraft] = useState<Draft>(() => {
    const { half, startYear } = schoolYearHalfOf(today());
    const years = { start: String(startYear), end: String(startYear + 1) };
    const name = t(half === 'first' ? 'nameFirst' : 'nameSecond', years);
    return { action: 'archive', name: truncateText(limits.nameLengthMax, name) };
  });
  const [closing, setClosing] = useState<TermClosing | null>(null);
  const [running, setRunning] = useState(false);
  useWindowEvent('beforeunload', (event) => {
    if (running) event.preventDefault();
  });
  const content = () => {
    if (closing) return <ResultStep closing={closing} onClose={onClose} onRunning={setRunning} />;
    if (!known.data) return <LoadingOrError of={[known]} />;
    const managed = known.data.filter(manages);
    if (managed.length === 0) return <EmptyState title={t('noClassesTitle')} hint={t('noClassesHint')} />;
    const classes = managed.filter(({ id }) => chosen.has(id));
    if (isChoosing || classes.length === 0) {
      return (
        <ClassesStep
          classes={managed}
          chosen={chosen}
          onChoose={setChosen}
          onCancel={onClose}
          onNext={() => setIsChoosing(false)}
        />
      );
    }
    return (
      <ActionStep
        classes={classes}
        draft={draft}
        onChange={setDraft}
        onBack={me.classId === null ? () => setIsChoosing(true) : null}
        onCancel={onClose}
        onConfirm={() => setClosing({ ...draft, classes, name: draft.name.trim() })}
      />
    );
  };
  return (
    <Modal
      opened={opened}
      onClose={() => {
        if (!running) onClose();
      }}
      title={t('closeTerm')}
      size="lg"
      fullScreen={onPhone}
      closeOnClickOutside={false}
      withCloseButton={!running}
    >
      {content()}
    </Modal>
  );
}

interface ClassesStepProps {
  readonly classes: readonly ClassSummary[];
  readonly chosen: ReadonlySet<number>;
  readonly onChoose: (chosen: ReadonlySet<number>) => void;
  readonly onCancel: () => void;
  readonly onNext: () => void;
}

function ClassesStep({ classes: known, chosen, onChoose, onCancel, onNext }: ClassesStepProps) {
  const t = useTexts(texts);
  const byGrade = [...Map.groupBy(known, ({ gradeId }) => gradeId).values()];
  const chosenIn = (some: readonly ClassSummary[]) => some.filter(({ id }) => chosen.has(id)).length;
  /** Returns the properties of a checkbox that stands for some classes. */
  const checkboxFor = (some: readonly ClassSummary[]) => ({
    checked: chosenIn(some) === some.length,
    indeterminate: chosenIn(some) > 0 && chosenIn(some) < some.length,
    onChange: (event: ChangeEvent<HTMLInputElement>) => {
      const next = new Set(chosen);
      for (const { id } of some) {
        if (event.currentTarget.checked) next.add(id);
        else next.delete(id);
      }
      onChoose(next);
    },
  });
  const count = chosenIn(known);
  return (
    <Stack>
      <div>
        <Hint span>{t('step', { step: 1 })}</Hint>
        <Heading>{t('stepClasses')}</Heading>
        <Hint>{t('classesHint')}</Hint>
      </div>
      {byGrade.length > 1 && <Checkbox label={t('allClasses')} {...checkboxFor(known)} />}
      {byGrade.map((inGrade) => {
        const grade = inGrade[0]?.gradeName ?? '';
        return (
          <Fieldset key={inGrade[0]?.gradeId} variant="unstyled" aria-label={grade}>
            <Group mih={44} fw={600}>
              <Checkbox label={grade} aria-label={t('selectGrade', { grade })} {...checkboxFor(inGrade)} />
            </Group>
            <Paper component="ul" className="ruled" radius="md" withBorder m={0} p={0}>
              {inGrade.map((one) => (
                <Group key={one.id} component="li" gap={12} wrap="nowrap" mih={48} px={14} py={6}>
                  <Checkbox
                    flex={1}
                    label={one.name}
                    aria-label={`${grade} ${one.name}`}
                    {...checkboxFor([one])}
                  />
                  <Hint span flex="none">
                    {t('classCounts', {
                      students: t('studentCount', { count: one.studentCount }),
                      records: t('recordCount', { count: one.scoreCount }),
                    })}
                  </Hint>
                </Group>
              ))}
            </Paper>
          </Fieldset>
        );
      })}
      <DialogFooter failure={null}>
        <Text component="output" size="sm" c="dimmed" me="auto">
          {t('chosenClasses', { count })}
        </Text>
        <Button variant="default" onClick={onCancel}>
          {t('cancel')}
        </Button>
        <Button disabled={count === 0} onClick={onNext}>
          {t('next')}
        </Button>
      </DialogFooter>
    </Stack>
  );
}

interface ActionStepProps {
  readonly classes: readonly ClassSummary[];
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
  readonly onBack: (() => void) | null;
  readonly onCancel: () => void;
  readonly onConfirm: () => void;
}

function ActionStep({ classes: chosen, draft, onChange, ...steps }: ActionStepProps) {
  const t = useTexts(texts);
  const { onBack, onCancel, onConfirm } = steps;
  const [asking, setAsking] = useState(false);
  const { action } = draft;
  const name = draft.name.trim();
  const sum = (of: (one: (typeof chosen)[number]) => number) =>
    chosen.reduce((total, one) => total + of(one), 0);
  const [only] = chosen;
  const summary = t('summary', {
    name,
    classes:
      chosen.length === 1 && only ? `${only.gradeName} ${only.name}` : t('classes', { count: chosen.length }),
    students: t('studentCount', { count: sum(({ studentCount }) => studentCount) }),
    records: t('recordCount', { count: sum(({ scoreCount }) => scoreCount) }),
  });
  const { form, shown } = useForm({ name: name === '' && t('required') }, () => setAsking(true));
  return (
    <>
      <form {...form}>
        <Stack>
          <div>
            {onBack && <Hint span>{t('step', { step: 2 })}</Hint>}
            <Heading>{t('stepAction')}</Heading>
          </div>
          <Radio.Group
            aria-label={t('stepAction')}
            value={action}
            onChange={(next) => onChange({ ...draft, action: next })}
          >
            <Stack gap={10}>
              {(['archive', 'reset'] as const).map((value) => (
                <Radio.Card
                  key={value}
                  value={value}
                  px="md"
                  py={14}
                  radius="lg"
                  bd={`1px solid var(--app-${value === action ? 'accent' : 'line'})`}
                  bg={value === action ? 'var(--app-accent-soft)' : 'transparent'}
                  aria-label={t(value)}
                >
                  <Group gap={12} wrap="nowrap" align="flex-start">
                    <Radio.Indicator />
                    <div>
                      <Text fw={600}>{t(value)}</Text>
                      <Hint>{t(`${value}Text`)}</Hint>
                    </div>
                  </Group>
                </Radio.Card>
              ))}
            </Stack>
          </Radio.Group>
          <TextInput
            label={t('name')}
            value={draft.name}
            onChange={(event) => onChange({ ...draft, name: event.currentTarget.value })}
            maxLength={limits.nameLengthMax}
            autoComplete="off"
            withAsterisk
            error={shown.name}
          />
          <div>
            <Text>{summary}</Text>
            <Hint mt={4}>{t('either')}</Hint>
          </div>
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onBack ?? onCancel}>
              {onBack ? t('back') : t('cancel')}
            </Button>
            <Button type="submit">{t('next')}</Button>
          </Group>
        </Stack>
      </form>
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={t(`confirmTitle_${action}`)}
        confirmLabel={t(`confirm_${action}`)}
        danger
        typedText={name}
        onConfirm={onConfirm}
      >
        <Text size="sm">{summary}</Text>
        <Hint>{t('confirmText')}</Hint>
      </ConfirmDialog>
    </>
  );
}
