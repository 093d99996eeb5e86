import classes from './RowCheckbox.module.css';

interface RowCheckboxProps {
  readonly label: string;
  readonly checked: boolean;
  readonly partly?: boolean;
  readonly onChange: (checked: boolean) => void;
}

/** Light enough for hundreds of rows. */
export function RowCheckbox({ label, checked, partly = false, onChange }: RowCheckboxProps) {
  return (
    <input
      type="checkbox"
      className={classes.tick}
      aria-label={label}
      checked={checked}
      ref={partly ? setIndeterminate : clearIndeterminate}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}

// HTML has no attribute for this state. A constant ref function, because React calls a new one at each render.
function setIndeterminate(input: HTMLInputElement | null): void {
  if (input) input.indeterminate = true;
}

function clearIndeterminate(input: HTMLInputElement | null): void {
  if (input) input.indeterminate = false;
}
