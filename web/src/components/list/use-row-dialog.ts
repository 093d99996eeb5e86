import { useCallback, useEffect, useRef, useState } from 'react';

interface RowDialog<Action> {
  /** The current action; stays set while its dialog fades out. Null before the first one. */
  readonly action: Action | null;
  readonly opened: boolean;
  readonly open: (action: Action) => void;
  readonly close: () => void;
  readonly turn: number;
}

/** Holds the open dialog. Closing it returns the focus to the element that opened the first of several dialogs. */
export function useRowDialog<Action>(): RowDialog<Action> {
  const [{ action, opened, turn }, set] = useState<Omit<RowDialog<Action>, 'open' | 'close'>>({
    action: null,
    opened: false,
    turn: 0,
  });
  const before = useRef<Element | null>(null);
  const open = useCallback((next: Action) => {
    // When a dialog opens from another dialog, keeps the element that opened the first one. The body has the focus if
    // the first dialog's button is busy.
    const { activeElement: focused, body } = document;
    const modal = '[aria-modal="true"]';
    const isInDialog = focused === body ? body.querySelector(modal) : focused?.closest(modal);
    if (!isInDialog) before.current = focused;
    set((former) => ({ action: next, opened: true, turn: former.turn + 1 }));
  }, []);
  // Ignores an answer that arrives after another dialog has replaced the one that waited for it.
  const close = useCallback(
    () => set((former) => (former.turn === turn ? { ...former, opened: false } : former)),
    [turn],
  );
  useEffect(() => {
    if (!opened && before.current instanceof HTMLElement) before.current.focus({ preventScroll: true });
  }, [opened]);
  return { action, opened, open, close, turn };
}
