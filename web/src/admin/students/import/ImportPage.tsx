import { Alert, Button, Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import { useOperation } from '../../../api/queries.ts';
import { UnsavedChangesGuard } from '../../../components/UnsavedChangesGuard.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { saveTable } from '../../../spreadsheets/write-table.ts';
import { RowsAboveHeader } from '../../lists/ColumnsPreview.tsx';
import { hasHeadings, splitList } from '../../lists/columns.ts';
import { ListSource } from '../../lists/ListSource.tsx';
import type { ReadList } from '../../lists/read-list.ts';
import { type ListStep as Step, StepList } from '../../lists/StepList.tsx';
import { useMe } from '../../me.ts';
import { Page } from '../../page/Page.tsx';
import { useSchool } from '../../school.tsx';
import { texts as studentsTexts } from '../texts.ts';
import { CheckResult } from './CheckResult.tsx';
import { ColumnsStep } from './ColumnsStep.tsx';
import { takenUsernames } from './check-import.ts';
import { findFillDownTexts } from './fill-down.ts';
import { planImport } from './plan-import.ts';
import { areLatin, schoolYearOf, usernamePatterns } from './propose-usernames.ts';
import { emptyDraft, type ImportDraft, replaceList, studentFields } from './student-columns.ts';
import { texts } from './texts.ts';
import { useAllStudents, useRowCheck, useStartImport } from './use-import.ts';
import { ListNotes, Warnings } from './Warnings.tsx';

export default function ImportPage() {
  const t = useTexts(texts);
  const s = useTexts(studentsTexts);
  const me = useMe();
  const { schoolDb } = useSchool();
  const [step, setStep] = useState<Step>('list');
  const [draft, setDraft] = useState<ImportDraft>(() => emptyDraft(me.classId));
  const classes = useOperation('listSchoolClasses', { query: { schoolDb } });
  const { students, ...existing } = useAllStudents();
  const change = (changed: Partial<ImportDraft>) => setDraft((before) => ({ ...before, ...changed }));

  const { list, hasHeader, headerIndex, mapping, fillsDown } = draft;
  const starting = useStartImport('list', list?.name ?? null);
  const [refused, setRefused] = useState<ReadonlySet<string>>(new Set());
  const { above, people, fills, suggested } = useMemo(() => {
    const parts = splitList(list?.rows ?? [], { hasHeader, headerIndex });
    const names = parts.people.flatMap(({ cells }) => cells[mapping.actualName ?? -1] || []);
    return {
      ...parts,
      fills: findFillDownTexts(parts.people, mapping, list?.merges ?? []),
      suggested: areLatin(names) ? usernamePatterns.firstLast : usernamePatterns.entryClassNumber,
    };
  }, [list, hasHeader, headerIndex, mapping]);
  const isNaming = mapping.username === null && mapping.actualName !== null;
  const pattern = isNaming ? (draft.pattern ?? suggested) : null;
  const input = useMemo(
    () => ({
      rows: people,
      mapping,
      classes: classes.data ?? [],
      defaultClassId: draft.defaultClassId,
      students,
      fills,
      fillsDown,
    }),
    [people, mapping, fills, fillsDown, draft.defaultClassId, classes.data, students],
  );
  const plan = useMemo(() => {
    const schoolYear = schoolYearOf(new Date());
    return planImport(pattern === null ? input : { ...input, naming: { pattern, schoolYear, refused } });
  }, [input, pattern, refused]);
  const check = useRowCheck(step === 'check' && existing.isSuccess ? plan : null);
  const { outcomes } = check;
  useEffect(() => {
    const taken = outcomes ? takenUsernames(plan, outcomes) : [];
    if (taken.length > 0) setRefused((before) => new Set([...before, ...taken]));
  }, [plan, outcomes]);
  const exampleOf = (one: string) => {
    const naming = { pattern: one, schoolYear: schoolYearOf(new Date()), refused: new Set<string>() };
    const [first] = planImport({ ...input, rows: people.slice(0, 1), students: [], naming });
    return first?.username ?? '';
  };
  const showList = (read: ReadList) => {
    setDraft((before) => replaceList(before, read));
    setRefused(new Set());
  };
  const notes = <ListNotes list={list} mapping={mapping} plan={plan} />;
  return (
    <Page
      title={s('importList')}
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
      <StepList steps={['list', 'columns', 'check']} active={step} onBack={setStep} />
      {step === 'list' && (
        <ListSource
          source={draft.source}
          pasted={draft.pasted}
          fileHint={t('dropHint')}
          pasteLabel={t('pasteLabel')}
          onChange={change}
          onList={(read) => {
            showList(read);
            setStep('columns');
          }}
          hasHeadings={hasHeadings(studentFields)}
        >
          <Button
            variant="subtle"
            onClick={() => {
              const header = [t('username'), t('field_actualName'), t('grade'), t('class')];
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
          onList={showList}
          onBack={() => setStep('list')}
          onNext={() => setStep('check')}
        />
      )}
      {step === 'check' && (
        <CheckResult
          rows={plan}
          check={check}
          students={students}
          backLabel={t('back')}
          onBack={() => setStep('columns')}
          starting={starting}
        >
          <RowsAboveHeader rows={above} />
          {notes}
          <Warnings list={list} mapping={mapping} plan={plan} pattern={pattern} />
          {existing.isError && (
            <Alert color="yellow" role="alert">
              <Group justify="space-between">
                {t('knownFailed')}
                <Button variant="default" size="xs" onClick={() => void existing.refetch()}>
                  {t('retry')}
                </Button>
              </Group>
            </Alert>
          )}
        </CheckResult>
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
