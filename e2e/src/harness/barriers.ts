import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/**
 * What axe finds serious or critical in a page, as readable lines.
 *
 * @param rules just these, where the others have been asked before
 * @param except parts of the page that are not ours
 */
export async function barriers(
  page: Page,
  { rules, except = [] }: { rules?: readonly string[]; except?: readonly string[] } = {},
): Promise<string[]> {
  const axe = new AxeBuilder({ page }).options({ resultTypes: ['violations'] });
  // Our pages have no frames; without this, each analysis opens a window of its own to gather their results.
  axe.setLegacyMode(true);
  if (rules) axe.withRules([...rules]);
  for (const part of except) axe.exclude(part);
  const { violations } = await axe.analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}
