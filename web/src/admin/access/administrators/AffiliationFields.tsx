import { rangeOfRole, roles } from 'virtual:admin-contract';
import type { Role } from '@classledger/contract';
import { Select, Stack } from '@mantine/core';
import { ClassPicker, GradePicker } from '../../../components/StructurePickers.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { useMe } from '../../me.ts';
import { useSchools } from '../../school.tsx';
import { texts as shellTexts } from '../../shell/texts.ts';
import { type Affiliation, grantableRoles, isAffiliationComplete } from './affiliation.ts';
import { texts } from './texts.ts';

interface AffiliationFieldsProps {
  readonly value: Affiliation;
  readonly onChange: (value: Affiliation) => void;
  readonly checked: boolean;
  readonly locked?: boolean;
}

export function AffiliationFields({ value, onChange, checked, locked }: AffiliationFieldsProps) {
  const t = useTexts(texts);
  const s = useTexts(shellTexts);
  const me = useMe();
  const { schools } = useSchools();
  const { role, schoolId, gradeId, classId } = value;
  const range = rangeOfRole[role];
  const error = checked && !isAffiliationComplete(value) ? t('rangeMissing') : undefined;
  const schoolDb = schools.find(({ id }) => id === schoolId)?.schoolDb;
  const chooseRole = (chosen: string | null) => {
    const found = roles.find((one) => one === chosen);
    if (found) onChange({ ...value, role: found });
  };
  return (
    <Stack>
      <Select
        label={t('role')}
        description={locked ? t('ownRole') : t(`about_${role}`)}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        data={grantableRoles(me.role).map((one: Role) => ({ value: one as string, label: s(one) }))}
        value={role}
        onChange={chooseRole}
        allowDeselect={false}
        disabled={locked ?? false}
      />
      {range !== 'everything' && me.role === 'super_admin' && (
        <Select
          label={t('school')}
          placeholder={t('pickSchool')}
          data={schools.map(({ id, name }) => ({ value: String(id), label: name }))}
          value={schoolId === null ? null : String(schoolId)}
          onChange={(id) => onChange({ ...value, schoolId: Number(id), gradeId: null, classId: null })}
          searchable
          allowDeselect={false}
          limit={100}
          error={schoolId === null && error}
        />
      )}
      {range === 'grade' && schoolDb !== undefined && (
        <GradePicker
          schoolDb={schoolDb}
          value={gradeId}
          onChange={(id) => onChange({ ...value, gradeId: id })}
          withLabel
          {...(error !== undefined && { error })}
        />
      )}
      {range === 'class' && schoolDb !== undefined && (
        <ClassPicker
          schoolDb={schoolDb}
          value={classId}
          onChange={(id) => onChange({ ...value, classId: id })}
          withLabel
          {...(error !== undefined && { error })}
        />
      )}
    </Stack>
  );
}
