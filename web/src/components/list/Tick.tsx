import classes from './Tick.module.css';

interface TickProps {
  readonly label: string;
  readonly checked: boolean;
  /** Some of what it stands for is checked. */
  readonly partly?: boolean;
  readonly onChange: (checked: boolean) => void;
}

/** A checkbox without a visible label, light enough to stand in hundreds of rows. */
export function Tick({ label, checked, partly = false, onChange }: TickProps) {
  return (
    <input
      type="checkbox"
      className={classes.tick}
      aria-label={label}
      checked={checked}
      ref={partly ? showPartly : showWhole}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}

// HTML has no attribute for it. The same functions at each drawing: another one would be called for every row.
function showPartly(input: HTMLInputElement | null): void {
  if (input) input.indeterminate = true;
}

function showWhole(input: HTMLInputElement | null): void {
  if (input) input.indeterminate = false;
}
