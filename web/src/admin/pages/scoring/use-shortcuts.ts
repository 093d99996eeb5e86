import { useEffect, useRef } from 'react';

/** What a key does, by its name in lower case; "mod+z" with Ctrl or Cmd. */
export type Shortcuts = Readonly<Record<string, (event: KeyboardEvent) => void>>;

const typing =
  'input:not([type="radio"], [type="checkbox"]), textarea, select, [contenteditable="true"], [role="listbox"]';
/** What has a use for arrows of its own. */
const walkable = '[type="radio"], [role="menu"], [role="slider"]';

/** Reacts to keys anywhere on the page, except while somebody types or `enabled` is false. */
export function useShortcuts(shortcuts: Shortcuts, enabled: boolean): void {
  const present = useRef(shortcuts);
  useEffect(() => {
    present.current = shortcuts;
  });
  useEffect(() => {
    if (!enabled) return;
    const onKey = (event: KeyboardEvent) => {
      const { target } = event;
      if (event.defaultPrevented || event.isComposing || event.altKey) return;
      if (target instanceof Element && target.closest(typing)) return;
      if (event.key.startsWith('Arrow') && target instanceof Element && target.closest(walkable)) return;
      const mod = event.ctrlKey || event.metaKey;
      const key = event.key.toLowerCase();
      const run = present.current[mod ? `mod+${key}` : key];
      if (!run) return;
      event.preventDefault();
      run(event);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [enabled]);
}
