import { Button, Checkbox, Group, Input, Radio, Stack, Text, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Fault, Hint } from '../../../components/Hint.tsx';
import { useForm } from '../../../components/use-form.ts';
import { useLanguage, useTexts } from '../../../i18n/texts.ts';
import { ColumnsPreview } from '../../lists/ColumnsPreview.tsx';
import classes from '../../lists/Lists.module.css';
import type { ReadList } from '../../lists/read-list.ts';
import { ManagedClassPicker } from '../../ManagedClassPicker.tsx';
import { useMe } from '../../me.ts';
import { useSchool } from '../../school.tsx';
import type { FillDownTexts } from './fill-down.ts';
import type { PlannedRow } from './plan-import.ts';
import { patternErrorOf, patternWords, translatePattern, usernamePatterns } from './propose-usernames.ts';
import type { ImportDraft, ImportField } from './student-columns.ts';
import { texts } from './texts.ts';

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
    username: t('username'),
    actualName: t('field_actualName'),
    gradeName: t('grade'),
    className: t('class'),
    externalId: t('fieldExternalId'),
    cardNumber: t('field_cardNumber'),
  };
  const { submit, shown } = useForm(faults, onNext);
  const looksLikeBlocks = [...fills.values()].some((row) =>
    Object.values(row).some(({ isMerged }) => !isMerged),
  );
  const usernameOf = (of: number) => plan.find(({ line }) => line === of)?.username ?? '';
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
          made={isNaming ? { label: t('madeUsername'), textOf: usernameOf } : undefined}
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
      {shown.username && <Fault>{shown.username}</Fault>}
      {isNaming && (
        <UsernamePattern
          pattern={pattern}
          fault={shown.pattern ?? false}
          exampleOf={exampleOf}
          onPattern={(changed) => onChange({ pattern: changed })}
        />
      )}
      {me.classId === null && (
        <Input.Wrapper label={t(classLabel)} labelElement="div" error={shown.class}>
          <ManagedClassPicker
            schoolDb={schoolDb}
            value={defaultClassId}
            onChange={(id) => onChange({ defaultClassId: id })}
          />
        </Input.Wrapper>
      )}
      <Hint>{t('passwordForEach')}</Hint>
      <Group justify="flex-end">
        <Button variant="default" onClick={onBack}>
          {t('otherList')}
        </Button>
        <Button onClick={submit}>{t('next')}</Button>
      </Group>
    </Stack>
  );
}

interface UsernamePatternProps {
  readonly pattern: string;
  readonly fault: string | false;
  readonly exampleOf: (pattern: string) => string;
  readonly onPattern: (pattern: string) => void;
}

const patternKeys = Object.keys(usernamePatterns) as (keyof typeof usernamePatterns)[];

function UsernamePattern({ pattern, fault, exampleOf, onPattern }: UsernamePatternProps) {
  const t = useTexts(texts);
  const language = useLanguage() === 'en' ? 'en' : 'zh';
  const known = patternKeys.find((one) => usernamePatterns[one] === pattern);
  // Offers only patterns that give a username for the list's first student.
  const offered = patternKeys.filter((one) => one === known || exampleOf(usernamePatterns[one]) !== '');
  const [isOwn, setOwn] = useState(known === undefined);
  const choose = (value: string) => {
    const next = offered.find((one) => one === value);
    setOwn(next === undefined);
    onPattern(next ? usernamePatterns[next] : translatePattern(pattern, language));
  };
  const words = Object.values(patternWords).map((word) => `{${word[language]}}`);
  const { number, entry } = patternWords;
  return (
    <Radio.Group
      label={t('patternTitle')}
      description={t('patternHint')}
      value={isOwn ? 'own' : (known ?? 'own')}
      onChange={choose}
    >
      <Stack gap={0} mt={8} className={classes.choices ?? ''}>
        {offered.map((one) => (
          <Radio
            key={one}
            value={one}
            label={
              <Group gap={10}>
                {t(`pattern_${one}`)}
                <Text span inherit ff="monospace" c="dimmed">
                  {exampleOf(usernamePatterns[one])}
                </Text>
              </Group>
            }
          />
        ))}
        <Radio value="own" label={t('pattern_own')} />
      </Stack>
      {isOwn && (
        <TextInput
          mt={8}
          maw={480}
          label={t('patternOwn')}
          description={t('patternWords', {
            words: words.join(' '),
            example: `{${entry[language]}}{${number[language]}4}`,
          })}
          value={pattern}
          onChange={(event) => onPattern(event.currentTarget.value)}
          spellCheck={false}
          error={fault}
        />
      )}
      {!isOwn && fault !== false && <Fault>{fault}</Fault>}
    </Radio.Group>
  );
}
