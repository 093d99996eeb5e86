import { IconCheck } from '@tabler/icons-react';
import { useScoring } from './board-context.ts';
import classes from './Marks.module.css';
import type { Flash } from './scoring-board.ts';

/** On the corner of what is chosen; `data-tick` is for cards that have it elsewhere. */
export function ChosenTick() {
  return (
    <span className={classes.tick} data-tick>
      <IconCheck aria-hidden size={14} stroke={3} />
    </span>
  );
}

/** What was just given rises from the card; `data-given` is for places where it is larger. */
export function GivenNow({ flash }: { readonly flash: Flash }) {
  const { format } = useScoring();
  return (
    <span
      // Another element for other points: it rises anew.
      key={flash.key}
      className={classes.given}
      data-given
      data-sign={Math.sign(flash.change)}
      data-still={flash.still || undefined}
      aria-hidden
    >
      {format.signed(flash.change)}
    </span>
  );
}
