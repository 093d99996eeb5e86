import { limits } from 'virtual:contract';
import { Button, Group, Input, SegmentedControl, Stack, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useOperation } from '../../../api/queries.ts';
import { Hint } from '../../../components/Hint.tsx';
import { PageHeader } from '../../../components/PageHeader.tsx';
import { UnsavedChangesGuard } from '../../../components/UnsavedChangesGuard.tsx';
import { useForm } from '../../../components/use-form.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { saveTable } from '../../../spreadsheets/write-table.ts';
import { BackLink } from '../../BackLink.tsx';
import { ColumnsPreview } from '../../lists/ColumnsPreview.tsx';
import { guessLayout, hasHeadings, type ListLayout, splitList as partsOfList } from '../../lists/columns.ts';
import { ListSource } from '../../lists/ListSource.tsx';
import { emptyListSource, type ListSourceDraft, type ReadList } from '../../lists/read-list.ts';
import { type ListStep, StepList } from '../../lists/StepList.tsx';
import { useSchool } from '../../school.tsx';
import { texts as passwordTexts } from '../../students/passwords/texts.ts';
import { AssignmentResult } from './AssignmentResult.tsx';
import { CheckTeachers } from './CheckTeachers.tsx';
import { planTeachers, type TeacherField, type TeacherRole, teacherFields } from './plan-teachers.ts';
import { texts } from './texts.ts';
import { useAssignment } from './use-assignment.ts';

interface Draft extends ListLayout<TeacherField>, ListSourceDraft {
  readonly role: TeacherRole;
  readonly list: ReadList | null;
}

const empty: Draft = {
  role: 'class_admin',
  list: null,
  ...emptyListSource,
  ...guessLayout([], teacherFields.class_admin),
};

export default function ClassTeachersPage() {
  const t = useTexts(texts);
  const p = useTexts(passwordTexts);
  const { schoolDb } = useSchool();
  const [chosenStep, setStep] = useState<ListStep>('list');
  const [draft, setDraft] = useState(empty);
  const assigning = useAssignment();
  const { assignment, details, isDone } = assigning;
  const isFinished = details !== null;
  const step = assignment ? 'assign' : chosenStep;
  const { data: classes } = useOperation('listSchoolClasses', { query: { schoolDb } });
  const { role, list, hasHeader, headerIndex, mapping } = draft;
  const fields = teacherFields[role];
  const parts = useMemo(
    () => partsOfList(list?.rows ?? [], { hasHeader, headerIndex }),
    [list, hasHeader, headerIndex],
  );
  const plan = useMemo(
    () => (classes ? planTeachers({ role, rows: parts.people, mapping, classes }) : null),
    [role, parts, mapping, classes],
  );
  const change = (changed: Partial<Draft>) => setDraft((before) => ({ ...before, ...changed }));
  const take = (read: ReadList) => {
    change({ list: read, ...guessLayout(read.rows, fields) });
    setStep('columns');
  };
  const chooseRole = (chosen: TeacherRole) =>
    change({ role: chosen, ...(list && guessLayout(list.rows, teacherFields[chosen])) });
  const saveTemplate = () => {
    const header = [t('grade'), t('class'), t('teacher'), t('username')];
    const withSubject = role === 'teacher' ? [...header, t('subject')] : header;
    void saveTable(t('templateName'), { header: withSubject, rows: [] }, 'xlsx');
  };
  return (
    <>
      <BackLink to="/administrators">{t('accounts')}</BackLink>
      <PageHeader title={t('title')} description={t('description')} />
      <StepList
        steps={['list', 'columns', 'check', 'assign']}
        active={step}
        onBack={step === 'assign' ? null : setStep}
      />
      {step === 'list' && (
        <>
          <Input.Wrapper label={t('whose')} labelElement="div" mb="md">
            <SegmentedControl
              aria-label={t('whose')}
              value={role}
              onChange={chooseRole}
              data={[
                { value: 'class_admin', label: t('class_admins') },
                { value: 'teacher', label: t('teachers') },
              ]}
              fullWidth
              maw={400}
            />
          </Input.Wrapper>
          <ListSource
            source={draft.source}
            pasted={draft.pasted}
            fileHint={t('fileHint')}
            pasteLabel={t(`pasteLabel_${role}`)}
            onChange={change}
            onList={take}
            hasHeadings={hasHeadings(fields)}
          >
            <Button variant="subtle" onClick={saveTemplate}>
              {t('template')}
            </Button>
          </ListSource>
        </>
      )}
      {step === 'columns' && list && (
        <Columns
          draft={draft}
          list={list}
          count={parts.people.length}
          onChange={change}
          onList={take}
          onBack={() => setStep('list')}
          onNext={() => setStep('check')}
        />
      )}
      {step === 'check' && plan && (
        <CheckTeachers
          role={role}
          plan={plan}
          above={parts.above}
          onBack={() => setStep('columns')}
          onStart={(rows, left) => assigning.start(role, rows, left)}
        />
      )}
      {step === 'assign' && <AssignmentResult assigning={assigning} />}
      <UnsavedChangesGuard
        active={isFinished ? !isDone : assignment !== null || list !== null || draft.pasted !== ''}
        title={isFinished ? p('leaveTitle') : t('leaveTitle')}
        text={isFinished ? p('leaveText') : t(assignment ? 'leaveRunning' : 'leaveList')}
        confirmLabel={p('leave')}
      />
    </>
  );
}

interface ColumnsProps {
  readonly draft: Draft;
  readonly list: ReadList;
  readonly count: number;
  readonly onChange: (change: Partial<Draft>) => void;
  readonly onList: (list: ReadList) => void;
  readonly onBack: () => void;
  readonly onNext: () => void;
}

function Columns({ draft, list, count, onChange, onList, onBack, onNext }: ColumnsProps) {
  const t = useTexts(texts);
  const { role, mapping } = draft;
  const max = limits.teachersPerBatchMax;
  const fault =
    (mapping.className === null && t('needClass')) ||
    (mapping.username === null && t('needUsername')) ||
    (count > max && t('tooMany', { max }));
  const { submit, shown } = useForm({ fault }, onNext);
  const labels = {
    gradeName: t('grade'),
    className: t('class'),
    actualName: t('teacher'),
    username: t('username'),
    ...(role === 'teacher' && { subject: t('subject') }),
  };
  return (
    <Stack gap="lg">
      <ColumnsPreview list={list} layout={draft} labels={labels} onLayout={onChange} onList={onList} />
      {shown.fault && (
        <Text c="red" size="sm" role="alert">
          {shown.fault}
        </Text>
      )}
      <Hint>{t(`whatHappens_${role}`)}</Hint>
      <Group justify="flex-end">
        <Button variant="default" onClick={onBack}>
          {t('otherList')}
        </Button>
        <Button onClick={submit}>{t('next')}</Button>
      </Group>
    </Stack>
  );
}
