import { Stack } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useOperation } from '../../../../api/queries.ts';
import { PageHeader } from '../../../../components/PageHeader.tsx';
import { UnsavedChangesGuard } from '../../../../components/UnsavedChangesGuard.tsx';
import { useTexts } from '../../../../i18n/texts.ts';
import { type Roster, readRoster, UnreadableRoster } from '../../../../rosters/read-roster.ts';
import { FileDrop } from '../../../lists/ListSource.tsx';
import { type ListStep as Step, StepList } from '../../../lists/StepList.tsx';
import { useSchool } from '../../../school.tsx';
import { BackToStudents } from '../../BackToStudents.tsx';
import { texts as importTexts } from '../texts.ts';
import { useRowCheck } from '../use-import-check.ts';
import { useKnownStudents } from '../use-known-students.ts';
import { useStartImport } from '../use-start-import.ts';
import { planRoster, rosterSchoolsOf } from './plan-roster.ts';
import { RosterCheckStep } from './RosterCheckStep.tsx';
import { RosterExport } from './RosterExport.tsx';
import { texts } from './texts.ts';

const steps = ['list', 'check'] as const satisfies readonly Step[];

interface Chosen {
  readonly roster: Roster;
  readonly name: string;
  /** `sourcedId` of a school in the roster. */
  readonly school: string;
}

export function RosterPage() {
  const t = useTexts(texts);
  const i = useTexts(importTexts);
  const { schoolDb } = useSchool();
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const starting = useStartImport('roster');
  const { data: classes } = useOperation('listSchoolClasses', { query: { schoolDb } });
  const { data: grades } = useOperation('listSchoolGrades', { query: { schoolDb } });
  const known = useKnownStudents();
  const plan = useMemo(
    () => (chosen && classes && grades ? planRoster({ ...chosen, classes, grades }) : null),
    [chosen, classes, grades],
  );
  const isKnown = !known.isPending && !known.isError;
  const check = useRowCheck(isKnown ? (plan?.students ?? null) : null);
  const step = chosen ? 'check' : 'list';
  return (
    <>
      <BackToStudents />
      <PageHeader title={t('title')} description={t('description')} />
      <StepList steps={steps} active={step} onBack={step === 'check' ? () => setChosen(null) : null} />
      {step === 'list' && (
        <Stack gap="xl">
          <RosterFile onRoster={setChosen} />
          <RosterExport />
        </Stack>
      )}
      {step === 'check' && chosen && plan && (
        <RosterCheckStep
          schools={rosterSchoolsOf(chosen.roster)}
          school={chosen.school}
          onSchool={(school) => setChosen({ ...chosen, school })}
          plan={plan}
          isGuess={chosen.roster.isGuess}
          check={check}
          known={known}
          onBack={() => setChosen(null)}
          starting={starting}
          onStart={(checked) => starting.start(chosen.name, checked)}
        />
      )}
      <UnsavedChangesGuard
        active={chosen !== null && !starting.isPending}
        title={i('leaveTitle')}
        text={i('leaveText')}
        confirmLabel={i('leave')}
      />
    </>
  );
}

function RosterFile({ onRoster }: { readonly onRoster: (chosen: Chosen) => void }) {
  const t = useTexts(texts);
  const [reading, setReading] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const read = async (file: File) => {
    setReading(true);
    setFailure(null);
    try {
      const roster = await readRoster(file);
      const [first] = rosterSchoolsOf(roster);
      if (first) onRoster({ roster, name: file.name, school: first.sourcedId });
      else setFailure(t('noSchool'));
    } catch (error) {
      setFailure(error instanceof UnreadableRoster ? t(error.fault, { about: error.about }) : t('noZip'));
    } finally {
      setReading(false);
    }
  };
  return (
    <FileDrop
      title={t('dropTitle')}
      hint={t('dropHint')}
      accept=".zip"
      reading={reading}
      failure={failure}
      onFile={(file) => void read(file)}
    />
  );
}
