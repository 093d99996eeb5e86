import type { ClassSummary } from '@classledger/contract';
import { Button, Checkbox, Group, Stack, Text, Title } from '@mantine/core';
import { useTexts } from '../../../i18n/texts.ts';
import classes from './Terms.module.css';
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
        <span className={classes.step}>{t('step', { step: 1 })}</span>
        <Title order={2} size="h3">
          {t('stepClasses')}
        </Title>
        <Text size="sm" c="dimmed">
          {t('classesHint')}
        </Text>
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
          <fieldset key={inGrade[0]?.gradeId} className={classes.grade} aria-label={grade}>
            <div className={classes.gradeTitle}>
              <Checkbox
                label={grade}
                aria-label={t('selectGrade', { grade })}
                checked={of === ids.length}
                indeterminate={of > 0 && of < ids.length}
                onChange={(event) => toggle(ids, event.currentTarget.checked)}
              />
            </div>
            <ul className={classes.classList}>
              {inGrade.map((one) => (
                <li key={one.id} className={classes.classRow}>
                  <Checkbox
                    className={classes.className ?? ''}
                    label={one.name}
                    aria-label={`${grade} ${one.name}`}
                    checked={chosen.has(one.id)}
                    onChange={(event) => toggle([one.id], event.currentTarget.checked)}
                  />
                  <span className={classes.counts}>
                    {t('classCounts', {
                      students: t('studentCount', { count: one.studentCount }),
                      records: t('recordCount', { count: one.scoreCount }),
                    })}
                  </span>
                </li>
              ))}
            </ul>
          </fieldset>
        );
      })}
      <Group justify="space-between" className={classes.footer ?? ''}>
        <output className={classes.step}>{t('chosenClasses', { count })}</output>
        <Group gap="xs">
          <Button variant="default" onClick={onCancel}>
            {t('cancel')}
          </Button>
          <Button disabled={count === 0} onClick={onNext}>
            {t('next')}
          </Button>
        </Group>
      </Group>
    </Stack>
  );
}
