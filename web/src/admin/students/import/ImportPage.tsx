import { Alert, Button, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useOperation } from '../../../api/queries.ts';
import { UnsavedChangesGuard } from '../../../components/UnsavedChangesGuard.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { saveTable } from '../../../spreadsheets/write-table.ts';
import { hasHeadings, splitList } from '../../lists/columns.ts';
import { ListSource } from '../../lists/ListSource.tsx';
import type { ReadList } from '../../lists/read-list.ts';
import { type ListStep as Step, StepList } from '../../lists/StepList.tsx';
import { useMe } from '../../me.ts';
import { Page } from '../../page/Page.tsx';
import { useSchool } from '../../school.tsx';
import { texts as studentsTexts } from '../texts.ts';
import { CheckStep } from './CheckStep.tsx';
import { ColumnsStep } from './ColumnsStep.tsx';
import { findFillDownTexts, onlyMergedTexts } from './fill-down.ts';
import { emptyDraft, type ImportDraft, replaceList } from './import-draft.ts';
import { planImport } from './plan-import.ts';
import { areLatin, schoolYearOf, usernamePatterns } from './propose-usernames.ts';
import { type StudentMapping, studentFields } from './student-columns.ts';
import { texts } from './texts.ts';
import { useKnownStudents } from './use-known-students.ts';
import { useStartImport } from './use-start-import.ts';

const steps = ['list', 'columns', 'check'] as const satisfies readonly Step[];

const nothing: ReadonlySet<string> = new Set();

export function ImportPage() {
  const t = useTexts(texts);
  const s = useTexts(studentsTexts);
  const me = useMe();
  const { schoolDb } = useSchool();
  const [step, setStep] = useState<Step>('list');
  const [draft, setDraft] = useState<ImportDraft>(() => emptyDraft(me.classId));
  const starting = useStartImport('list');
  const classes = useOperation('listSchoolClasses', { query: { schoolDb } });
  const known = useKnownStudents();
  const change = (changed: Partial<ImportDraft>) => setDraft((before) => ({ ...before, ...changed }));

  const { list, hasHeader, headerIndex, mapping, fillsDown } = draft;
  const [refused, setRefused] = useState<ReadonlySet<string>>(nothing);
  const parts = useMemo(
    () => splitList(list?.rows ?? [], { hasHeader, headerIndex }),
    [list, hasHeader, headerIndex],
  );
  const fills = useMemo(
    () => findFillDownTexts(parts.people, mapping, list?.merges ?? []),
    [parts, mapping, list],
  );
  const isNaming = mapping.username === null && mapping.actualName !== null;
  const suggested = useMemo(() => {
    const names = parts.people.flatMap(({ cells }) => cells[mapping.actualName ?? -1] || []);
    return areLatin(names) ? usernamePatterns.firstLast : usernamePatterns.entryClassNumber;
  }, [parts, mapping.actualName]);
  const pattern = isNaming ? (draft.pattern ?? suggested) : null;
  const input = useMemo(
    () => ({
      rows: parts.people,
      mapping,
      classes: classes.data ?? [],
      defaultClassId: draft.defaultClassId,
      known: known.known,
      fills: fillsDown ? fills : onlyMergedTexts(fills),
    }),
    [parts, mapping, fills, fillsDown, draft.defaultClassId, classes.data, known.known],
  );
  const plan = useMemo(() => {
    const naming = { pattern: pattern ?? '', schoolYear: schoolYearOf(new Date()), refused };
    return planImport(
      pattern === null ? input : { ...input, naming: { ...naming, students: known.students } },
    );
  }, [input, pattern, refused, known.students]);
  const exampleOf = (one: string) => {
    const naming = { pattern: one, schoolYear: schoolYearOf(new Date()), refused: nothing, students: [] };
    return planImport({ ...input, rows: parts.people.slice(0, 1), naming })[0]?.username ?? '';
  };
  const take = (read: ReadList) => {
    setDraft((before) => replaceList(before, read));
    setRefused(nothing);
  };
  const notes = (
    <ListNotes list={list} mapping={mapping} filledCount={plan.filter(({ isFilled }) => isFilled).length} />
  );
  return (
    <Page
      title={t('title')}
      description={t('description')}
      back={{ to: '/students', label: s('title') }}
      headActions={
        step === 'list' && (
          <Button variant="default" component={Link} to="/imports">
            {t('runs')}
          </Button>
        )
      }
    >
      <StepList steps={steps} active={step} onBack={setStep} />
      {step === 'list' && (
        <ListSource
          source={draft.source}
          pasted={draft.pasted}
          fileHint={t('dropHint')}
          pasteLabel={t('pasteLabel')}
          onChange={change}
          onList={(read) => {
            take(read);
            setStep('columns');
          }}
          hasHeadings={hasHeadings(studentFields)}
        >
          <Button
            variant="subtle"
            onClick={() => {
              const header = [t('fieldUsername'), t('fieldName'), t('grade'), t('class')];
              void saveTable(t('templateName'), { header, rows: [] }, 'xlsx');
            }}
          >
            {t('template')}
          </Button>
          <Button variant="subtle" component={Link} to="/students/roster">
            {t('roster')}
          </Button>
        </ListSource>
      )}
      {step === 'columns' && (
        <ColumnsStep
          draft={draft}
          plan={plan}
          fills={fills}
          notes={notes}
          pattern={pattern}
          exampleOf={exampleOf}
          onChange={change}
          onList={take}
          onBack={() => setStep('list')}
          onNext={() => setStep('check')}
        />
      )}
      {step === 'check' && (
        <CheckStep
          plan={plan}
          above={parts.above}
          notes={notes}
          pattern={pattern}
          onTaken={(taken) => setRefused((before) => new Set([...before, ...taken]))}
          zerosMayLack={list?.paddedColumns.has(mapping.username ?? -1) ?? false}
          isGuess={list?.isGuess ?? false}
          known={known}
          onBack={() => setStep('columns')}
          starting={starting}
          onStart={(checked) => starting.start(list?.name ?? null, checked)}
        />
      )}
      <UnsavedChangesGuard
        active={(list !== null || draft.pasted !== '') && !starting.isPending}
        title={t('leaveTitle')}
        text={t('leaveText')}
        confirmLabel={t('leave')}
      />
    </Page>
  );
}

interface ListNotesProps {
  readonly list: ReadList | null;
  readonly mapping: StudentMapping;
  readonly filledCount: number;
}

function ListNotes({ list, mapping, filledCount }: ListNotesProps) {
  const t = useTexts(texts);
  const isUncalculated = Object.values(mapping).some(
    (column) => column !== null && list?.uncalculated.has(column),
  );
  return (
    <>
      {isUncalculated && (
        <Alert color="yellow" role="status">
          {t('uncalculated')}
        </Alert>
      )}
      {filledCount > 0 && (
        <Text size="sm" c="dimmed" role="status">
          {t('filled', { count: filledCount })}
        </Text>
      )}
      {list !== null && list.hiddenColumns > 0 && (
        <Text size="sm" c="dimmed" role="status">
          {t('hiddenColumns', { count: list.hiddenColumns })}
        </Text>
      )}
    </>
  );
}
