import { useCallback, useEffect, useRef, useState } from 'react';

interface RowDialog<Action> {
  /** What the dialog is about, which it still is while it fades away; null before the first one. */
  readonly action: Action | null;
  readonly opened: boolean;
  readonly open: (action: Action) => void;
  readonly close: () => void;
  /** Another number at each opening. */
  readonly turn: number;
}

/**
 * The dialog that was asked for in a list, at most one: which, and about what. What had the focus when it was opened
 * has it again afterwards, also where one dialog led to another.
 */
export function useRowDialog<Action>(): RowDialog<Action> {
  const [{ action, opened, turn }, set] = useState<Omit<RowDialog<Action>, 'open' | 'close'>>({
    action: null,
    opened: false,
    turn: 0,
  });
  const before = useRef<Element | null>(null);
  const open = useCallback((next: Action) => {
    before.current = document.activeElement;
    set((former) => ({ action: next, opened: true, turn: former.turn + 1 }));
  }, []);
  const close = useCallback(() => set((former) => ({ ...former, opened: false })), []);
  useEffect(() => {
    if (!opened && before.current instanceof HTMLElement) before.current.focus({ preventScroll: true });
  }, [opened]);
  return { action, opened, open, close, turn };
}
