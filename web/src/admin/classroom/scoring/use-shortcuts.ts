import { useEffect, useRef } from 'react';

/** Actions by key name in lower case; "mod+z" means Ctrl or Cmd. */
export type Shortcuts = Readonly<Record<string, (event: KeyboardEvent) => void>>;

const textInputs =
  'input:not([type="radio"], [type="checkbox"]), textarea, select, [contenteditable="true"], [role="listbox"]';
const arrowKeyControls = '[type="radio"], [role="menu"], [role="slider"]';

const isTyping = (target: EventTarget | null) =>
  target instanceof Element && target.closest(textInputs) !== null;

/** Handles keys anywhere on the page, unless a person types or `enabled` is false. */
export function useShortcuts(shortcuts: Shortcuts, enabled: boolean): void {
  const present = useRef(shortcuts);
  useEffect(() => {
    present.current = shortcuts;
  });
  useEffect(() => {
    // A held key would press a button repeatedly.
    const onHeld = (event: KeyboardEvent) => {
      const presses = event.key === 'Enter' || event.key === ' ';
      if (event.repeat && presses && !isTyping(event.target)) event.preventDefault();
    };
    window.addEventListener('keydown', onHeld);
    return () => window.removeEventListener('keydown', onHeld);
  }, []);
  useEffect(() => {
    if (!enabled) return;
    const onKey = (event: KeyboardEvent) => {
      const { target } = event;
      if (event.defaultPrevented || event.isComposing || event.altKey) return;
      if (isTyping(target)) return;
      if (event.key.startsWith('Arrow') && target instanceof Element && target.closest(arrowKeyControls))
        return;
      const mod = event.ctrlKey || event.metaKey;
      // Shift with Ctrl or Cmd means redo elsewhere; this page has none.
      if (mod && event.shiftKey) return;
      const key = event.key.toLowerCase();
      const run = present.current[mod ? `mod+${key}` : key];
      if (!run) return;
      event.preventDefault();
      // A held key must not give or take back points repeatedly. Arrows may repeat.
      if (!event.repeat || key.startsWith('arrow')) run(event);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [enabled]);
}
