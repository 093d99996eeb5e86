import { useBlocker } from '@tanstack/react-router';

/** Makes Back close the top dialog, as Escape does. A dialog that ignores Escape stays open, with unsaved content. */
export function useBackClosesDialog(): void {
  useBlocker({ shouldBlockFn: closeUpperDialog, enableBeforeUnload: false });
}

// Always the same function, so that it runs before the blocker of a page, whose question may still be open.
function closeUpperDialog({ action }: { readonly action: string }): boolean {
  const open = document.querySelectorAll('[aria-modal="true"]');
  const upper = open.item(open.length - 1);
  if (action !== 'BACK' || !upper) return false;
  upper.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
  return true;
}
