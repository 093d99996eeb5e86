import { Select, Text } from '@mantine/core';
import { useOperation } from '../api/queries.ts';
import { useTexts } from '../i18n/texts.ts';
import { texts } from './texts.ts';

interface PickerProps {
  readonly schoolDb: string;
  readonly value: number | null;
  readonly onChange: (id: number | null) => void;
  /** Offers "all", which is null. */
  readonly withAll?: boolean;
  /** Shows the label above; without, it is only said to screen readers. */
  readonly withLabel?: boolean;
  readonly error?: string | false | undefined;
  readonly disabled?: boolean;
}

const all = 'all';

/** Chooses one of the grades in the caller's range. */
export function GradePicker({ schoolDb, ...props }: PickerProps) {
  const t = useTexts(texts);
  const { data, isPending } = useOperation('listSchoolGrades', { query: { schoolDb } });
  const options = (data ?? []).map(({ id, name }) => ({ value: String(id), label: name }));
  return (
    <Picker
      {...props}
      label={t('grade')}
      allLabel={t('allGrades')}
      placeholder={t('pickGrade')}
      options={options}
      loading={isPending}
    />
  );
}

/**
 * Chooses one of the classes in the caller's range, or in one grade of it; grouped by grade. The one that is chosen is shown
 * with its grade where there are several: each may have a class 1.
 */
export function ClassPicker({
  schoolDb,
  gradeId,
  ...props
}: PickerProps & { readonly gradeId?: number | null }) {
  const t = useTexts(texts);
  const { data, isPending } = useOperation('listSchoolClasses', { query: { schoolDb } });
  // A class that has graduated is not offered; where the address names one, it is told.
  const isElsewhere = props.value !== null && data?.every(({ id }) => id !== props.value) === true;
  const graduated = useOperation(
    'listSchoolClasses',
    { query: { schoolDb, archived: true } },
    { enabled: isElsewhere },
  );
  const chosen = isElsewhere ? graduated.data?.find(({ id }) => id === props.value) : undefined;
  const offered = (data ?? []).filter((one) => gradeId == null || one.gradeId === gradeId);
  const classes = chosen ? [...offered, chosen] : offered;
  const byGrade = Map.groupBy(classes, (one) => one.gradeId);
  const options = [...byGrade.values()].map((inGrade) => ({
    group: inGrade[0]?.gradeName ?? '',
    items: inGrade.map(({ id, name, gradeName }) => ({
      value: String(id),
      label: byGrade.size > 1 ? `${gradeName} ${name}` : name,
      inGroup: name,
    })),
  }));
  return (
    <Picker
      {...props}
      label={t('class')}
      allLabel={t('allClasses')}
      placeholder={t('pickClass')}
      options={options}
      loading={isPending}
    />
  );
}

/** The class that a page is about: to choose where there are several, and only named where there is just one. */
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
  readonly value: string;
  readonly label: string;
  /** What it is called below the heading of its group. */
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
  const first = withAll ? [{ value: all, label: allLabel }] : [];
  return (
    <Select
      {...(withLabel ? { label } : { 'aria-label': label })}
      placeholder={placeholder}
      data={[...first, ...options]}
      renderOption={({ option }: { option: Option }) => option.inGroup ?? option.label}
      value={value === null ? (withAll ? all : null) : String(value)}
      onChange={(chosen) => onChange(chosen === null || chosen === all ? null : Number(chosen))}
      searchable
      allowDeselect={false}
      loading={loading}
      disabled={props.disabled ?? false}
      error={props.error}
    />
  );
}
