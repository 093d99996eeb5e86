import classes from './RowCheckbox.module.css';

interface RowCheckboxProps {
  readonly label: string;
  readonly checked: boolean;
  readonly partly?: boolean;
  readonly onChange: (checked: boolean) => void;
}

/** Uses the browser's checkbox, which renders fast enough for hundreds of rows. */
export function RowCheckbox({ label, checked, partly = false, onChange }: RowCheckboxProps) {
  return (
    <input
      type="checkbox"
      className={classes.checkbox}
      aria-label={label}
      checked={checked}
      ref={partly ? setIndeterminate : clearIndeterminate}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}

// No attribute sets this state. React calls a ref function again if it is a new one, so these are constants.
function setIndeterminate(input: HTMLInputElement | null): void {
  if (input) input.indeterminate = true;
}

function clearIndeterminate(input: HTMLInputElement | null): void {
  if (input) input.indeterminate = false;
}
