import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';

const source = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Lists the serious and critical violations that axe finds; `bestPractice` adds best practices of any impact. */
export async function axeViolations(
  page: Page,
  { rules, bestPractice = false }: { rules?: readonly string[]; bestPractice?: boolean } = {},
): Promise<string[]> {
  // Each document loads axe once, because the script is large.
  if (await page.evaluate('window.axe === undefined')) await page.evaluate(await source);
  const options: axe.RunOptions = { resultTypes: ['violations'], ...(rules && { runOnly: [...rules] }) };
  // Skips the rules of lesser impact, because they take much time. Returns few fields, because the results are large.
  return page.evaluate<string[]>(`(async () => {
    const isAsked = ({ tags }) => ${bestPractice} && tags.includes('best-practice');
    const lesser = axe._audit.rules.filter(
      (rule) => (rule.impact === 'minor' || rule.impact === 'moderate') && !isAsked(rule));
    const rules = Object.fromEntries(lesser.map(({ id }) => [id, { enabled: false }]));
    const { violations } = await axe.run(document, { ...${JSON.stringify(options)}, rules });
    return violations
      .filter((found) => found.impact === 'serious' || found.impact === 'critical' || isAsked(found))
      .flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html.slice(0, 200)));
  })()`);
}
