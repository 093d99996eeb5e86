import { Alert, List, Select, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useOperation } from '../../../../api/queries.ts';
import { UnsavedChangesGuard } from '../../../../components/UnsavedChangesGuard.tsx';
import { useTexts } from '../../../../i18n/texts.ts';
import { type Roster, readRoster, UnreadableRoster } from '../../../../rosters/read-roster.ts';
import { FileDrop } from '../../../lists/ListSource.tsx';
import { StepList } from '../../../lists/StepList.tsx';
import { Page } from '../../../page/Page.tsx';
import { useSchool } from '../../../school.tsx';
import { texts as studentsTexts } from '../../texts.ts';
import { CheckResult } from '../CheckResult.tsx';
import { texts as importTexts } from '../texts.ts';
import { useAllStudents, useRowCheck, useStartImport } from '../use-import.ts';
import { planRoster, type RosterPlan, rosterSchoolsOf } from './plan-roster.ts';
import { RosterExport } from './RosterExport.tsx';
import { texts } from './texts.ts';

interface Chosen {
  readonly roster: Roster;
  readonly name: string;
  readonly school: string;
}

export default function RosterPage() {
  const t = useTexts(texts);
  const s = useTexts(studentsTexts);
  const i = useTexts(importTexts);
  const { schoolDb, name } = useSchool();
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const starting = useStartImport('roster', chosen?.name ?? null);
  const { data: classes } = useOperation('listSchoolClasses', { query: { schoolDb } });
  const { data: grades } = useOperation('listSchoolGrades', { query: { schoolDb } });
  const { students, isSuccess } = useAllStudents();
  const plan = useMemo(
    () => (chosen && classes && grades ? planRoster({ ...chosen, classes, grades }) : null),
    [chosen, classes, grades],
  );
  const check = useRowCheck((isSuccess && plan?.students) || null);
  const schools = chosen ? rosterSchoolsOf(chosen.roster) : [];
  const back = () => setChosen(null);
  return (
    <Page title={t('title')} description={t('description')} back={{ to: '/students', label: s('title') }}>
      <StepList steps={['list', 'check']} active={chosen ? 'check' : 'list'} onBack={chosen && back} />
      {!chosen && (
        <Stack gap="xl">
          <RosterFile onRoster={setChosen} />
          <RosterExport />
        </Stack>
      )}
      {chosen && plan && (
        <CheckResult
          rows={plan.students}
          check={check}
          students={students}
          backLabel={t('otherFile')}
          onBack={back}
          starting={starting}
        >
          {schools.length > 1 && (
            <Select
              label={t('school')}
              description={t('schoolHint', { name })}
              data={schools.map((one) => ({ value: one.sourcedId, label: one.name }))}
              value={chosen.school}
              onChange={(school) => school && setChosen({ ...chosen, school })}
              allowDeselect={false}
              maw={480}
            />
          )}
          {chosen.roster.isGuess && (
            <Alert color="yellow" role="status">
              {t('encodingGuessed')}
            </Alert>
          )}
          <LeftOutAlert leftOut={plan.leftOut} />
        </CheckResult>
      )}
      <UnsavedChangesGuard
        active={chosen !== null && !starting.isPending}
        title={i('leaveTitle')}
        text={i('leaveText')}
        confirmLabel={i('leave')}
      />
    </Page>
  );
}

function LeftOutAlert({ leftOut: { staff, deleted, furtherClasses } }: Pick<RosterPlan, 'leftOut'>) {
  const t = useTexts(texts);
  if (staff + deleted + furtherClasses === 0) return null;
  return (
    <Alert color="gray" role="status" title={t('leftOut')}>
      <List size="sm">
        {staff > 0 && <List.Item>{t('leftStaff', { count: staff })}</List.Item>}
        {deleted > 0 && <List.Item>{t('leftDeleted', { count: deleted })}</List.Item>}
        {furtherClasses > 0 && <List.Item>{t('leftClasses', { count: furtherClasses })}</List.Item>}
      </List>
    </Alert>
  );
}

function RosterFile({ onRoster }: { readonly onRoster: (chosen: Chosen) => void }) {
  const t = useTexts(texts);
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (file: File): Promise<Chosen> => {
      const roster = await readRoster(file);
      const [first] = rosterSchoolsOf(roster);
      if (!first) throw new UnreadableRoster('noSchool');
      return { roster, name: file.name, school: first.sourcedId };
    },
    onSuccess: (chosen) => onRoster(chosen),
  });
  const { fault, about } = error instanceof UnreadableRoster ? error : new UnreadableRoster('noZip');
  return (
    <FileDrop
      title={t('dropTitle')}
      hint={t('dropHint')}
      accept=".zip"
      reading={isPending}
      failure={error && t(fault, { about })}
      onFile={mutate}
    />
  );
}
