import { useBlocker } from '@tanstack/react-router';

/** Makes Back act as Escape on the uppermost dialog. One that ignores Escape stays: it holds a secret or unsaved work. */
export function useBackClosesDialog(): void {
  useBlocker({ shouldBlockFn: closeUpperDialog, enableBeforeUnload: false });
}

// A stable function runs before a page's own question, whose dialog is still open when the page is left.
function closeUpperDialog({ action }: { readonly action: string }): boolean {
  const open = document.querySelectorAll('[aria-modal="true"]');
  const upper = open.item(open.length - 1);
  if (action !== 'BACK' || !upper) return false;
  upper.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
  return true;
}
