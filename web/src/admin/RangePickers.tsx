import { ClassPicker, GradePicker } from '../components/StructurePickers.tsx';
import { useMe, useOnlyClassId } from './me.ts';
import { useSchool } from './school.tsx';

export interface RangeFilter {
  readonly grade?: number | undefined;
  readonly class?: number | undefined;
}

interface RangePickersProps {
  readonly value: RangeFilter;
  readonly onChange: (change: RangeFilter) => void;
}

export function RangePickers({ value, onChange }: RangePickersProps) {
  const { gradeId, role } = useMe();
  const onlyClassId = useOnlyClassId();
  const { schoolDb } = useSchool();
  return (
    <>
      {gradeId === null && role !== 'teacher' && (
        <GradePicker
          schoolDb={schoolDb}
          value={value.grade ?? null}
          onChange={(id) => onChange({ grade: id ?? undefined, class: undefined })}
          withAll
        />
      )}
      {onlyClassId === null && (
        <ClassPicker
          schoolDb={schoolDb}
          gradeId={value.grade ?? null}
          value={value.class ?? null}
          onChange={(id) => onChange({ class: id ?? undefined })}
          withAll
        />
      )}
    </>
  );
}
