import { Button, Checkbox, Group, Input, Stack, Text } from '@mantine/core';
import { type ReactNode, useMemo } from 'react';
import { ClassPicker } from '../../../components/StructurePickers.tsx';
import { useForm } from '../../../components/use-form.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { ColumnsPreview } from '../../lists/ColumnsPreview.tsx';
import classes from '../../lists/Lists.module.css';
import type { ReadList } from '../../lists/read-list.ts';
import { useMe } from '../../me.ts';
import { useSchool } from '../../school.tsx';
import type { FillDownTexts } from './fill-down.ts';
import type { ImportDraft } from './import-draft.ts';
import type { PlannedRow } from './plan-import.ts';
import { patternErrorOf } from './propose-usernames.ts';
import type { ImportField } from './student-columns.ts';
import { texts } from './texts.ts';
import { UsernamePattern } from './UsernamePattern.tsx';

interface ColumnsStepProps {
  readonly draft: ImportDraft;
  readonly plan: readonly PlannedRow[];
  readonly fills: FillDownTexts;
  readonly notes: ReactNode;
  /** The username pattern; null if the list has usernames. */
  readonly pattern: string | null;
  readonly exampleOf: (pattern: string) => string;
  readonly onChange: (change: Partial<ImportDraft>) => void;
  readonly onList: (list: ReadList) => void;
  readonly onBack: () => void;
  readonly onNext: () => void;
}

export function ColumnsStep(props: ColumnsStepProps) {
  const { draft, plan, fills, notes, pattern, exampleOf, onChange, onList, onBack, onNext } = props;
  const t = useTexts(texts);
  const me = useMe();
  const { schoolDb } = useSchool();
  const { mapping, defaultClassId, list, fillsDown } = draft;
  const isNaming = pattern !== null;
  const fault = isNaming ? patternErrorOf(pattern) : null;
  const faults = {
    username: mapping.username === null && !isNaming && t('needUsername'),
    pattern:
      isNaming && (pattern.trim() === '' ? t('required') : fault !== null && t('patternFault', { fault })),
    class: isNaming && mapping.className === null && defaultClassId === null && t('needClass'),
  };
  const labels: Record<ImportField, string> = {
    username: t('fieldUsername'),
    actualName: t('fieldName'),
    gradeName: t('grade'),
    className: t('class'),
    externalId: t('fieldExternalId'),
    cardNumber: t('fieldCardNumber'),
  };
  const { submit, shown } = useForm(faults, onNext);
  const usernames = useMemo(() => new Map(plan.map(({ line, username }) => [line, username])), [plan]);
  const looksLikeBlocks = useMemo(
    () =>
      [...fills.values()].some((row) =>
        [row.gradeName, row.className].some((fill) => fill?.isMerged === false),
      ),
    [fills],
  );
  const filledOf = (line: number, column: number) => {
    const { className, gradeName } = fills.get(line) ?? {};
    const fill =
      column === mapping.className ? className : column === mapping.gradeName ? gradeName : undefined;
    return fill && (fill.isMerged || fillsDown) ? fill.text : undefined;
  };
  const classLabel = mapping.className !== null ? 'classForRest' : isNaming ? 'classForNames' : 'classForAll';
  return (
    <Stack gap="lg">
      {list && (
        <ColumnsPreview
          list={list}
          layout={draft}
          labels={labels}
          onLayout={onChange}
          onList={onList}
          filledOf={filledOf}
          made={
            isNaming ? { label: t('madeUsername'), textOf: (line) => usernames.get(line) ?? '' } : undefined
          }
        />
      )}
      {notes}
      {looksLikeBlocks && (
        <Checkbox
          label={t('fillsDown')}
          description={t('fillsDownHint')}
          checked={fillsDown}
          onChange={(event) => onChange({ fillsDown: event.currentTarget.checked })}
        />
      )}
      {shown.username && (
        <Text c="red" size="sm" role="alert">
          {shown.username}
        </Text>
      )}
      {isNaming && (
        <UsernamePattern
          pattern={pattern}
          fault={shown.pattern ?? false}
          exampleOf={exampleOf}
          onPattern={(changed) => onChange({ pattern: changed })}
        />
      )}
      {me.classId === null && (
        <div className={classes.options}>
          <Input.Wrapper label={t(classLabel)} labelElement="div" error={shown.class}>
            <ClassPicker
              schoolDb={schoolDb}
              value={defaultClassId}
              onChange={(id) => onChange({ defaultClassId: id })}
            />
          </Input.Wrapper>
        </div>
      )}
      <Text size="sm" c="dimmed">
        {t('passwordForEach')}
      </Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onBack}>
          {t('otherList')}
        </Button>
        <Button onClick={submit}>{t('next')}</Button>
      </Group>
    </Stack>
  );
}
