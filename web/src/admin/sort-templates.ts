import type { Template } from '@classledger/contract';

/** Sorts plus before minus and small before large: the order on their page, of the buttons and of the number keys. */
export function sortTemplates(templates: readonly Template[]): readonly Template[] {
  const rank = ({ scoreChange }: Template) => (scoreChange > 0 ? scoreChange : 1_000_000 - scoreChange);
  return templates.toSorted((a, b) => rank(a) - rank(b));
}
