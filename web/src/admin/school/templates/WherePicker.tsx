import { Select } from '@mantine/core';
import { useOperation } from '../../../api/queries.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useMe } from '../../me.ts';
import { useSchool } from '../../school.tsx';
import { mayChangeSchoolWide } from './template-groups.ts';
import { texts } from './texts.ts';

interface WherePickerProps {
  /** Null is the whole school. */
  readonly value: number | null;
  readonly onChange: (classId: number | null) => void;
  readonly error?: string | false | undefined;
}

const whole = 'school';

export function WherePicker({ value, onChange, error }: WherePickerProps) {
  const t = useTexts(texts);
  const { role } = useMe();
  const { schoolDb } = useSchool();
  const { data, isPending } = useOperation('listSchoolClasses', { query: { schoolDb } });
  const byGrade = Map.groupBy(data ?? [], (one) => one.gradeId);
  const mayWhole = mayChangeSchoolWide(role);
  return (
    <Select
      label={t('where')}
      value={value === null ? (mayWhole ? whole : null) : String(value)}
      onChange={(chosen) => onChange(chosen === null || chosen === whole ? null : Number(chosen))}
      data={[
        ...(mayWhole ? [{ value: whole, label: t('whole') }] : []),
        ...[...byGrade.values()].map((inGrade) => ({
          group: inGrade[0]?.gradeName ?? '',
          items: inGrade.map(({ id, name }) => ({ value: String(id), label: name })),
        })),
      ]}
      searchable
      allowDeselect={false}
      loading={isPending}
      error={error}
    />
  );
}
