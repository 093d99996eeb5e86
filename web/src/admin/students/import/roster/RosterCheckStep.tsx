import { Alert, List, Select } from '@mantine/core';
import { useTexts } from '../../../../i18n/texts.ts';
import { useSchool } from '../../../school.tsx';
import { CheckResult } from '../CheckResult.tsx';
import type { RowCheck } from '../use-import-check.ts';
import type { useKnownStudents } from '../use-known-students.ts';
import type { ListToImport, useStartImport } from '../use-start-import.ts';
import type { RosterPlan, RosterSchool, SkippedCounts } from './plan-roster.ts';
import { texts } from './texts.ts';

interface RosterCheckStepProps {
  readonly schools: readonly RosterSchool[];
  readonly school: string;
  readonly onSchool: (sourcedId: string) => void;
  readonly plan: RosterPlan;
  readonly isGuess: boolean;
  readonly check: RowCheck;
  readonly known: ReturnType<typeof useKnownStudents>;
  readonly onBack: () => void;
  readonly starting: ReturnType<typeof useStartImport>;
  readonly onStart: (list: ListToImport) => void;
}

export function RosterCheckStep(props: RosterCheckStepProps) {
  const { schools, school, onSchool, plan, isGuess, check, known } = props;
  const t = useTexts(texts);
  const { name } = useSchool();
  return (
    <CheckResult
      rows={plan.students}
      check={check}
      students={known.students}
      backLabel={t('otherFile')}
      onBack={props.onBack}
      starting={props.starting}
      onStart={props.onStart}
    >
      {schools.length > 1 && (
        <Select
          label={t('school')}
          description={t('schoolHint', { name })}
          data={schools.map((one) => ({ value: one.sourcedId, label: one.name }))}
          value={school}
          onChange={(chosen) => chosen && onSchool(chosen)}
          allowDeselect={false}
          maw={480}
        />
      )}
      {isGuess && (
        <Alert color="yellow" role="status">
          {t('encodingGuessed')}
        </Alert>
      )}
      <LeftOutAlert leftOut={plan.leftOut} />
    </CheckResult>
  );
}

function LeftOutAlert({ leftOut: { staff, deleted, furtherClasses } }: { readonly leftOut: SkippedCounts }) {
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
