import axe from 'axe-core';
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
  // Once for each document: axe is a large script.
  if (await page.evaluate('window.axe === undefined')) await page.evaluate(axe.source);
  const context = { exclude: except.map((part) => [part]) };
  const options: axe.RunOptions = { resultTypes: ['violations'], ...(rules && { runOnly: [...rules] }) };
  // Rules that can find nothing serious take a good part of the time, and have no other mark than this.
  const { violations } = await page.evaluate<axe.AxeResults>(`{
    const lesser = axe._audit.rules.filter(({ impact }) => impact === 'minor' || impact === 'moderate');
    const rules = Object.fromEntries(lesser.map(({ id }) => [id, { enabled: false }]));
    axe.run(${JSON.stringify(context)}, { ...${JSON.stringify(options)}, rules });
  }`);
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}
