import { TextInput } from '@mantine/core';

interface DayFieldProps {
  /** Said to screen readers, and where the mouse rests: in a bar of filters there is no room for it. */
  readonly label: string;
  readonly value: string | undefined;
  readonly onChange: (day: string | undefined) => void;
  readonly error?: string | false;
}

/** One end of the days that a list is narrowed to. */
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
