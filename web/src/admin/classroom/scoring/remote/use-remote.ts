import { useEffect, useRef } from 'react';

export interface RemoteActions {
  readonly walk: (step: 1 | -1) => void;
  readonly give: () => void;
  readonly release: () => void;
}

const stepByKey: Readonly<Record<string, 1 | -1>> = {
  PageDown: 1,
  ArrowRight: 1,
  ArrowDown: 1,
  PageUp: -1,
  ArrowLeft: -1,
  ArrowUp: -1,
};

const textInputs = 'input, textarea, select, [contenteditable="true"], [role="listbox"]';
const pressable = 'button, a, [role="button"]';

/** Handles a remote's keys: two to move, "b" or "." to blank, Enter. Its start button alternates F5 and Escape. */
export function useRemote(actions: RemoteActions, enabled: boolean): void {
  const present = useRef(actions);
  useEffect(() => {
    present.current = actions;
  });
  useEffect(() => {
    if (!enabled) return;
    const onKey = (event: KeyboardEvent) => {
      const { key, target } = event;
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
      if (target instanceof Element && target.closest(textInputs)) return;
      const step = stepByKey[key];
      const gives = key === 'b' || key === 'B' || key === '.';
      const enters = key === 'Enter' && !(target instanceof Element && target.closest(pressable));
      const ends = key === 'F5' || key === 'Escape';
      if (step === undefined && !gives && !enters && !ends) return;
      event.preventDefault();
      event.stopPropagation();
      if (step !== undefined) present.current.walk(step);
      // A held key must not give points repeatedly.
      else if (event.repeat) return;
      else if (ends) present.current.release();
      else present.current.give();
    };
    window.addEventListener('keydown', onKey, { capture: true });
    return () => window.removeEventListener('keydown', onKey, { capture: true });
  }, [enabled]);
}
