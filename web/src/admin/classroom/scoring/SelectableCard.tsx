import { IconCheck } from '@tabler/icons-react';
import type { ComponentProps } from 'react';
import { useScoring } from './board-context.ts';
import classes from './SelectableCard.module.css';
import type { CardFlash, StudentView } from './scoring-board.ts';

interface SelectableCardProps extends ComponentProps<'button'> {
  readonly selected: StudentView['selected'];
  readonly flash: CardFlash | null;
}

/** A card of a student or a team that a tap selects. */
export function SelectableCard({ selected, flash, className, children, ...others }: SelectableCardProps) {
  return (
    <button
      type="button"
      className={`mantine-focus-auto ${classes.card} ${className}`}
      data-selected={selected}
      aria-pressed={selected === 'yes'}
      {...others}
    >
      {children}
      {selected === 'yes' && (
        <span className={classes.checkmark}>
          <IconCheck aria-hidden size={14} stroke={3} />
        </span>
      )}
      {flash && <GivenPoints flash={flash} />}
    </button>
  );
}

export function GivenPoints({ flash }: { readonly flash: CardFlash }) {
  const { format } = useScoring();
  return (
    <span
      // A new key creates a new element, which starts the animation again.
      key={flash.key}
      className={classes.given}
      data-sign={Math.sign(flash.change)}
      data-no-animation={flash.isStill || undefined}
      aria-hidden
    >
      {format.signed(flash.change)}
    </span>
  );
}
