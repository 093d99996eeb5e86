import type { Template } from '@classledger/contract';

/** Sorts templates for page, buttons and number keys: plus before minus, and small points before large ones. */
export function sortTemplates(templates: readonly Template[]): readonly Template[] {
  const rank = ({ scoreChange }: Template) => (scoreChange > 0 ? scoreChange : 1_000_000 - scoreChange);
  return templates.toSorted((a, b) => rank(a) - rank(b));
}
