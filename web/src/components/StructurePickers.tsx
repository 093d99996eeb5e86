import type { ClassSummary } from '@classledger/contract';
import { Select, Text } from '@mantine/core';
import { useOperation } from '../api/queries.ts';
import { useTexts } from '../i18n/texts.ts';
import { useGraduatedClass } from './graduated-class.ts';
import { texts } from './texts.ts';

interface PickerProps {
  readonly schoolDb: string;
  readonly value: number | null;
  readonly onChange: (id: number | null) => void;
  /** Adds the choice "all", whose value is null. */
  readonly withAll?: boolean;
  readonly withLabel?: boolean;
  readonly label?: string;
  readonly allLabel?: string;
  readonly error?: string | false | undefined;
}

const all = 'all';

export function GradePicker({ schoolDb, ...props }: PickerProps) {
  const t = useTexts(texts);
  const { data, isPending } = useOperation('listSchoolGrades', { query: { schoolDb } });
  const options = (data ?? []).map(({ id, name }) => ({ value: id, label: name }));
  return (
    <Picker
      label={t('grade')}
      allLabel={t('allGrades')}
      {...props}
      placeholder={t('pickGrade')}
      options={options}
      loading={isPending}
    />
  );
}

/** Shows the grade beside the class if the school has several grades, because each may have a class 1. */
export function ClassPicker({
  schoolDb,
  gradeId,
  isOffered = () => true,
  ...props
}: PickerProps & {
  readonly gradeId?: number | null;
  readonly isOffered?: (of: ClassSummary) => boolean;
}) {
  const t = useTexts(texts);
  const { data, isPending } = useOperation('listSchoolClasses', { query: { schoolDb } });
  // Does not offer graduated classes, but shows one that is in the page's URL.
  const { graduated } = useGraduatedClass(schoolDb, data, props.value);
  const offered = (data ?? []).filter((one) => gradeId == null || one.gradeId === gradeId).filter(isOffered);
  const classes = new Set(graduated ? [...offered, graduated] : offered);
  const byGrade = Map.groupBy(classes, (one) => one.gradeId);
  const options = [...byGrade.values()].map((inGrade) => ({
    group: inGrade[0]?.gradeName ?? '',
    items: inGrade.map(({ id, name, gradeName }) => ({
      value: id,
      label: byGrade.size > 1 ? `${gradeName} ${name}` : name,
      inGroup: name,
    })),
  }));
  return (
    <Picker
      label={t('class')}
      allLabel={t('allClasses')}
      {...props}
      placeholder={t('pickClass')}
      options={options}
      loading={isPending}
    />
  );
}

export function ClassChoice(props: Pick<PickerProps, 'schoolDb' | 'value' | 'onChange'>) {
  const { data } = useOperation('listSchoolClasses', { query: { schoolDb: props.schoolDb } });
  const [only, another] = data ?? [];
  if (only && another) return <ClassPicker {...props} />;
  return (
    <Text fw={600} truncate lh="36px">
      {only ? `${only.gradeName} ${only.name}` : '\u00a0'}
    </Text>
  );
}

interface Option {
  readonly value: number | typeof all;
  readonly label: string;
  /** The shorter label inside a group, whose heading names the grade. */
  readonly inGroup?: string;
}

interface GeneralPickerProps extends Omit<PickerProps, 'schoolDb'> {
  readonly label: string;
  readonly allLabel: string;
  readonly placeholder: string;
  readonly options: (Option | { group: string; items: Option[] })[];
  readonly loading: boolean;
}

function Picker(props: GeneralPickerProps) {
  const { value, onChange, withAll, withLabel, label, allLabel, placeholder, options, loading } = props;
  const first = withAll ? [{ value: all, label: allLabel } as const] : [];
  return (
    <Select<number | typeof all>
      {...(withLabel ? { label } : { 'aria-label': label })}
      placeholder={placeholder}
      data={[...first, ...options]}
      renderOption={({ option }: { option: Option }) => option.inGroup ?? option.label}
      value={value ?? (withAll ? all : null)}
      onChange={(chosen) => onChange(chosen === all ? null : chosen)}
      searchable
      allowDeselect={false}
      loading={loading}
      error={props.error}
    />
  );
}
