import { limits } from 'virtual:contract';
import type { ClassSummary, Term } from '@classledger/contract';
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
  Title,
} from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { useState } from 'react';
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
import { useMe } from '../../me.ts';
import { useSchool } from '../../school.tsx';
import { schoolYearHalfOf, type TermClosing } from './close-terms.ts';
import { ResultStep } from './ResultStep.tsx';
import { texts } from './texts.ts';

interface CloseTermDialogProps extends DialogProps {
  readonly firstClassId: number | null;
}

export function CloseTermDialog({ opened, onClose, firstClassId }: CloseTermDialogProps) {
  const t = useTexts(texts);
  const onPhone = useIsPhone();
  const [running, setRunning] = useState(false);
  useWindowEvent('beforeunload', (event) => {
    if (running) event.preventDefault();
  });
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
      <Steps onClose={onClose} firstClassId={firstClassId} onRunning={setRunning} />
    </Modal>
  );
}

interface StepsProps extends Omit<CloseTermDialogProps, 'opened'> {
  readonly onRunning: (running: boolean) => void;
}

function Steps({ onClose, firstClassId, onRunning }: StepsProps) {
  const t = useTexts(texts);
  const me = useMe();
  const { schoolDb } = useSchool();
  const { today } = useSchoolTime();
  const known = useOperation('listSchoolClasses', { query: { schoolDb } });
  const [step, setStep] = useState<'classes' | 'action' | 'result'>(
    me.classId === null ? 'classes' : 'action',
  );
  const first = me.classId ?? firstClassId;
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set(first === null ? [] : [first]));
  const [action, setAction] = useState<Term['action']>('archive');
  const [name, setName] = useState(() => {
    const { half, startYear } = schoolYearHalfOf(today());
    const years = { start: String(startYear), end: String(startYear + 1) };
    return truncateText(limits.nameLengthMax, t(half === 'first' ? 'nameFirst' : 'nameSecond', years));
  });
  const [closing, setClosing] = useState<TermClosing | null>(null);

  if (closing) return <ResultStep closing={closing} onClose={onClose} onRunning={onRunning} />;
  if (!known.data) return <LoadingOrError of={[known]} />;
  if (known.data.length === 0) return <EmptyState title={t('noClassesTitle')} hint={t('noClassesHint')} />;
  const classes = known.data.filter(({ id }) => chosen.has(id));
  if (step === 'classes' || classes.length === 0) {
    return (
      <ClassesStep
        classes={known.data}
        chosen={chosen}
        onChoose={setChosen}
        onCancel={onClose}
        onNext={() => setStep('action')}
      />
    );
  }
  return (
    <ActionStep
      closing={{ classes, action, name }}
      onAction={setAction}
      onName={setName}
      onBack={me.classId === null ? () => setStep('classes') : null}
      onCancel={onClose}
      onConfirm={() => {
        setStep('result');
        setClosing({ classes, action, name: name.trim() });
      }}
    />
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
  const toggle = (ids: readonly number[], on: boolean) => {
    const next = new Set(chosen);
    for (const id of ids) {
      if (on) next.add(id);
      else next.delete(id);
    }
    onChoose(next);
  };
  const byGrade = [...Map.groupBy(known, ({ gradeId }) => gradeId).values()];
  const count = known.filter(({ id }) => chosen.has(id)).length;
  return (
    <Stack>
      <div>
        <Hint span>{t('step', { step: 1 })}</Hint>
        <Title order={2} size="h3">
          {t('stepClasses')}
        </Title>
        <Hint>{t('classesHint')}</Hint>
      </div>
      {byGrade.length > 1 && (
        <Checkbox
          label={t('allClasses')}
          checked={count === known.length}
          indeterminate={count > 0 && count < known.length}
          onChange={(event) =>
            toggle(
              known.map(({ id }) => id),
              event.currentTarget.checked,
            )
          }
        />
      )}
      {byGrade.map((inGrade) => {
        const ids = inGrade.map(({ id }) => id);
        const of = ids.filter((id) => chosen.has(id)).length;
        const grade = inGrade[0]?.gradeName ?? '';
        return (
          <Fieldset key={inGrade[0]?.gradeId} variant="unstyled" aria-label={grade}>
            <Group mih={44} fw={600}>
              <Checkbox
                label={grade}
                aria-label={t('selectGrade', { grade })}
                checked={of === ids.length}
                indeterminate={of > 0 && of < ids.length}
                onChange={(event) => toggle(ids, event.currentTarget.checked)}
              />
            </Group>
            <Paper component="ul" className="ruled" radius="md" withBorder m={0} p={0}>
              {inGrade.map((one) => (
                <Group key={one.id} component="li" gap={12} wrap="nowrap" mih={48} px={14} py={6}>
                  <Checkbox
                    flex={1}
                    label={one.name}
                    aria-label={`${grade} ${one.name}`}
                    checked={chosen.has(one.id)}
                    onChange={(event) => toggle([one.id], event.currentTarget.checked)}
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
  readonly closing: TermClosing;
  readonly onAction: (action: Term['action']) => void;
  readonly onName: (name: string) => void;
  readonly onBack: (() => void) | null;
  readonly onCancel: () => void;
  readonly onConfirm: () => void;
}

function ActionStep({ closing, onAction, onName, onBack, onCancel, onConfirm }: ActionStepProps) {
  const t = useTexts(texts);
  const [asking, setAsking] = useState(false);
  const { classes: chosen, action } = closing;
  const name = closing.name.trim();
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
  const choices = [
    { value: 'archive' as const, label: t('archive'), text: t('archiveText') },
    { value: 'reset' as const, label: t('reset'), text: t('resetText') },
  ];
  return (
    <>
      <form {...form}>
        <Stack>
          <div>
            {onBack && <Hint span>{t('step', { step: 2 })}</Hint>}
            <Title order={2} size="h3">
              {t('stepAction')}
            </Title>
          </div>
          <Radio.Group
            aria-label={t('stepAction')}
            value={action}
            onChange={(value) => onAction(value === 'reset' ? 'reset' : 'archive')}
          >
            <Stack gap={10}>
              {choices.map(({ value, label, text }) => (
                <Radio.Card
                  key={value}
                  value={value}
                  px="md"
                  py={14}
                  radius="lg"
                  bd={`1px solid var(--app-${value === action ? 'accent' : 'line'})`}
                  bg={value === action ? 'var(--app-accent-soft)' : 'transparent'}
                  aria-label={label}
                >
                  <Group gap={12} wrap="nowrap" align="flex-start">
                    <Radio.Indicator />
                    <div>
                      <Text fw={600}>{label}</Text>
                      <Hint>{text}</Hint>
                    </div>
                  </Group>
                </Radio.Card>
              ))}
            </Stack>
          </Radio.Group>
          <TextInput
            label={t('name')}
            value={closing.name}
            onChange={(event) => onName(event.currentTarget.value)}
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
        title={t(action === 'archive' ? 'confirmTitleArchive' : 'confirmTitleReset')}
        confirmLabel={t(action === 'archive' ? 'confirmArchive' : 'confirmReset')}
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
