import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';

/** Less than half of the text that the module holds. */
const source = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * What axe finds serious or critical in a page, as readable lines.
 *
 * @param rules just these, where the others have been asked before
 * @param except parts of the page that are not ours
 * @param bestPractice also what is against no standard and hinders people all the same, however little, such as landmarks and
 *   headings that are out of order
 */
export async function barriers(
  page: Page,
  {
    rules,
    except = [],
    bestPractice = false,
  }: { rules?: readonly string[]; except?: readonly string[]; bestPractice?: boolean } = {},
): Promise<string[]> {
  // Once for each document: axe is a large script.
  if (await page.evaluate('window.axe === undefined')) await page.evaluate(await source);
  const context = { exclude: except.map((part) => [part]) };
  const options: axe.RunOptions = { resultTypes: ['violations'], ...(rules && { runOnly: [...rules] }) };
  // Rules that can find nothing serious take a good part of the time, and have no other mark than this. What axe tells besides
  // is large, so only what is wanted leaves the page.
  return page.evaluate<string[]>(`(async () => {
    const isAsked = ({ tags }) => ${bestPractice} && tags.includes('best-practice');
    const lesser = axe._audit.rules.filter(
      (rule) => (rule.impact === 'minor' || rule.impact === 'moderate') && !isAsked(rule));
    const rules = Object.fromEntries(lesser.map(({ id }) => [id, { enabled: false }]));
    const { violations } = await axe.run(${JSON.stringify(context)}, { ...${JSON.stringify(options)}, rules });
    return violations
      .filter((found) => found.impact === 'serious' || found.impact === 'critical' || isAsked(found))
      .flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html.slice(0, 200)));
  })()`);
}
