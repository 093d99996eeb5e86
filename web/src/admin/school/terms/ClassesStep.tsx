import type { ClassSummary } from '@classledger/contract';
import { Button, Checkbox, Fieldset, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { DialogFooter } from '../../../components/FormFooter.tsx';
import { Hint } from '../../../components/Hint.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { texts } from './texts.ts';

interface ClassesStepProps {
  readonly classes: readonly ClassSummary[];
  readonly chosen: ReadonlySet<number>;
  readonly onChoose: (chosen: ReadonlySet<number>) => void;
  readonly onCancel: () => void;
  readonly onNext: () => void;
}

export function ClassesStep({ classes: known, chosen, onChoose, onCancel, onNext }: ClassesStepProps) {
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
