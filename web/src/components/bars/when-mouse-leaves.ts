import type { PointerEvent } from 'react';

/** Only a mouse takes what it points at with it: a finger is lifted to read what it has tapped. */
export const whenMouseLeaves =
  (clear: () => void) =>
  ({ pointerType }: PointerEvent) => {
    if (pointerType === 'mouse') clear();
  };
