import { useEffect, useRef } from 'react';

/** What a key does, by its name in lower case; "mod+z" with Ctrl or Cmd. */
export type Shortcuts = Readonly<Record<string, (event: KeyboardEvent) => void>>;

const typing =
  'input:not([type="radio"], [type="checkbox"]), textarea, select, [contenteditable="true"], [role="listbox"]';
/** What has a use for arrows of its own. */
const walkable = '[type="radio"], [role="menu"], [role="slider"]';

const isTyping = (target: EventTarget | null) => target instanceof Element && target.closest(typing) !== null;

/** Reacts to keys anywhere on the page, except while someone types or `enabled` is false. */
export function useShortcuts(shortcuts: Shortcuts, enabled: boolean): void {
  const present = useRef(shortcuts);
  useEffect(() => {
    present.current = shortcuts;
  });
  useEffect(() => {
    // A button would be pressed again and again.
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
      if (event.key.startsWith('Arrow') && target instanceof Element && target.closest(walkable)) return;
      const mod = event.ctrlKey || event.metaKey;
      // Elsewhere that takes an undo back; here nothing does.
      if (mod && event.shiftKey) return;
      const key = event.key.toLowerCase();
      const run = present.current[mod ? `mod+${key}` : key];
      if (!run) return;
      event.preventDefault();
      // Held down, a key would give points, or take them back, on and on; arrows may walk.
      if (!event.repeat || key.startsWith('arrow')) run(event);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [enabled]);
}
