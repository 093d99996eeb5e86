import { useBlocker } from '@tanstack/react-router';

/**
 * The Back button closes the dialog or drawer that is open, as people expect on a phone, and what is typed on the page
 * below stays. A dialog that Escape does not close, as it shows something once, stays open. Where the page before was
 * another site's, or none, the browser leaves without asking.
 */
export function useBackClosesDialog(): void {
  useBlocker({ shouldBlockFn: closeUpperDialog, enableBeforeUnload: false });
}

// Always the same function, so that this is asked before a page that asks its own question: the answer to that one
// is a dialog too, which is still there when the page is left.
function closeUpperDialog({ action }: { readonly action: string }): boolean {
  const open = document.querySelectorAll('[aria-modal="true"]');
  const upper = open.item(open.length - 1);
  if (action !== 'BACK' || !upper) return false;
  upper.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
  return true;
}
