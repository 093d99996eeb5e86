import { useBlocker } from '@tanstack/react-router';

/**
 * Makes Back close the open dialog or drawer, as people expect on a phone, and keeps the input on the page. A dialog
 * that Escape does not close stays open, because it shows something once. If the previous page is outside this app, the
 * browser leaves without asking.
 */
export function useBackClosesDialog(): void {
  useBlocker({ shouldBlockFn: closeUpperDialog, enableBeforeUnload: false });
}

// Always the same function, so that it runs before a page that asks its own question. The answer to that question is
// also a dialog, which is still open when the page is left.
function closeUpperDialog({ action }: { readonly action: string }): boolean {
  const open = document.querySelectorAll('[aria-modal="true"]');
  const upper = open.item(open.length - 1);
  if (action !== 'BACK' || !upper) return false;
  upper.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
  return true;
}
