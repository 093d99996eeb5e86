import type { PointerEvent } from 'react';

/** Hides a value when the mouse leaves, but not when a finger is lifted, because people then read the value. */
export const onMouseLeave =
  (clear: () => void) =>
  ({ pointerType }: PointerEvent) => {
    if (pointerType === 'mouse') clear();
  };
