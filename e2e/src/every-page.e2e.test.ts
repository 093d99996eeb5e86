import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { barriers } from './harness/barriers.ts';
import { launchBrowser } from './harness/browser.ts';
import { openAs, type Person, type ServedSchool, startServedSchool } from './harness/served-school.ts';

let browser: Browser;
let school: ServedSchool;

beforeAll(async () => {
  [school, browser] = await Promise.all([startServedSchool(), launchBrowser()]);
}, 120_000);

afterAll(() => browser.close());

const pages: readonly (readonly [path: string, person: Person])[] = [
  ['/', 'school'],
  ['/scoring', 'class'],
  ['/projector', 'class'],
  ['/students', 'school'],
  ['/students/import', 'school'],
  ['/students/{student}', 'school'],
  ['/records', 'grade'],
  ['/templates', 'school'],
  ['/seats', 'class'],
  ['/statistics', 'school'],
  ['/structure', 'school'],
  ['/terms', 'grade'],
  ['/administrators', 'school'],
  ['/api-tokens', 'school'],
  ['/audit-log', 'school'],
  ['/activity', 'school'],
  ['/account', 'school'],
  ['/schools', 'super'],
  ['/applications', 'super'],
  ['/announcements', 'super'],
];

const overflow = (page: Page) => page.evaluate('document.documentElement.scrollWidth - window.innerWidth');

describe.each([
  { screen: 'desktop', colorScheme: 'light', language: 'en' },
  { screen: 'phone', colorScheme: 'dark', language: 'zh-CN' },
] as const)('on a $screen, $colorScheme, in $language', (look) => {
  it.each(pages)('%s has no barriers, no complaints and nothing beside the screen', async (path, person) => {
    const address = path.replace('{student}', String(school.school.grades[0].classes[0].students[0]?.id));
    const { page, context, complaints, foreign } = await openAs(browser, school, person, address, look);
    await page.waitForLoadState('networkidle');
    expect(await barriers(page)).toEqual([]);
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    expect({ complaints, foreign }).toEqual({ complaints: [], foreign: [] });
    await context.close();
  });
});
