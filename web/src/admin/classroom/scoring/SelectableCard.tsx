import { IconCheck } from '@tabler/icons-react';
import type { ComponentProps } from 'react';
import { useScoring } from './board-context.ts';
import classes from './ChoiceCard.module.css';
import type { Flash, StudentView } from './scoring-board.ts';

interface ChoiceCardProps extends ComponentProps<'button'> {
  readonly chosen: StudentView['chosen'];
  readonly flash: Flash | null;
}

/** A card of a student or a team that a tap selects. */
export function ChoiceCard({ chosen, flash, className, children, ...others }: ChoiceCardProps) {
  return (
    <button
      type="button"
      className={`mantine-focus-auto ${classes.card} ${className}`}
      data-chosen={chosen}
      aria-pressed={chosen === 'yes'}
      {...others}
    >
      {children}
      {chosen === 'yes' && (
        <span className={classes.tick}>
          <IconCheck aria-hidden size={14} stroke={3} />
        </span>
      )}
      {flash && <GivenPoints flash={flash} />}
    </button>
  );
}

export function GivenPoints({ flash }: { readonly flash: Flash }) {
  const { format } = useScoring();
  return (
    <span
      // A new key creates a new element, which starts the animation again.
      key={flash.key}
      className={classes.given}
      data-sign={Math.sign(flash.change)}
      data-still={flash.isStill || undefined}
      aria-hidden
    >
      {format.signed(flash.change)}
    </span>
  );
}
