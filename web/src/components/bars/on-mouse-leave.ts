import type { PointerEvent } from 'react';

/** Clears only for a mouse: people lift a finger to read what they tapped. */
export const onMouseLeave =
  (clear: () => void) =>
  ({ pointerType }: PointerEvent) => {
    if (pointerType === 'mouse') clear();
  };
