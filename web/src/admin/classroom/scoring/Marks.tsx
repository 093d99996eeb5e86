import { IconCheck } from '@tabler/icons-react';
import { useScoring } from './board-context.ts';
import classes from './Marks.module.css';
import type { Flash } from './scoring-board.ts';

export function ChosenTick() {
  return (
    <span className={classes.tick} data-tick>
      <IconCheck aria-hidden size={14} stroke={3} />
    </span>
  );
}

export function GivenPoints({ flash }: { readonly flash: Flash }) {
  const { format } = useScoring();
  return (
    <span
      // A new element restarts the animation.
      key={flash.key}
      className={classes.given}
      data-given
      data-sign={Math.sign(flash.change)}
      data-still={flash.isStill || undefined}
      aria-hidden
    >
      {format.signed(flash.change)}
    </span>
  );
}
