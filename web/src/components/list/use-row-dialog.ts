import { useCallback, useEffect, useRef, useState } from 'react';

interface RowDialog<Action> {
  /** Stays set while the dialog fades out; null before the first one. */
  readonly action: Action | null;
  readonly opened: boolean;
  readonly open: (action: Action) => void;
  readonly close: () => void;
  readonly turn: number;
}

/** Holds the open dialog. Closing it returns the focus to the first opener, also after a chain of dialogs. */
export function useRowDialog<Action>(): RowDialog<Action> {
  const [{ action, opened, turn }, set] = useState<Omit<RowDialog<Action>, 'open' | 'close'>>({
    action: null,
    opened: false,
    turn: 0,
  });
  const before = useRef<Element | null>(null);
  const open = useCallback((next: Action) => {
    // A dialog that follows another one has the same opener.
    if (!document.activeElement?.closest('[aria-modal="true"]')) before.current = document.activeElement;
    set((former) => ({ action: next, opened: true, turn: former.turn + 1 }));
  }, []);
  // A late answer to a dialog must not close the one that has replaced it.
  const close = useCallback(
    () => set((former) => (former.turn === turn ? { ...former, opened: false } : former)),
    [turn],
  );
  useEffect(() => {
    if (!opened && before.current instanceof HTMLElement) before.current.focus({ preventScroll: true });
  }, [opened]);
  return { action, opened, open, close, turn };
}
