import { TextInput } from '@mantine/core';

interface DayFieldProps {
  /** Shown on hover and read by screen readers, because the filter bar has no space for it. */
  readonly label: string;
  readonly value: string | undefined;
  readonly onChange: (day: string | undefined) => void;
  readonly error?: string | false;
}

export function DayField({ label, value = '', onChange, error = false }: DayFieldProps) {
  return (
    <TextInput
      type="date"
      aria-label={label}
      title={label}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value || undefined)}
      error={error}
    />
  );
}
