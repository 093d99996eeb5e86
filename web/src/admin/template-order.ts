import type { Template } from '@classledger/contract';

/** Plus before minus, small before great: the order on their own page, of the buttons and of their number keys. */
export function inTemplateOrder(templates: readonly Template[]): readonly Template[] {
  const rank = ({ scoreChange }: Template) => (scoreChange > 0 ? scoreChange : 1_000_000 - scoreChange);
  return templates.toSorted((a, b) => rank(a) - rank(b));
}
