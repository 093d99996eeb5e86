import { afterAll, describe, expect, it } from 'vitest';
import { PlainBrowser } from '../../../test/identity-provider.ts';
import { openSchoolWithProvider } from '../../../test/school-with-provider.ts';

const ways = await openSchoolWithProvider();
const { provider } = ways;

afterAll(() => provider.stop());

describe('an administrator who signs in at the provider of the school', () => {
  it('gets a session of their own account', async () => {
    const browser = new PlainBrowser();
    const back = await ways.signIn(browser, 'admin', 'subject of zhao.mei');
    expect([back.status, back.headers.get('location'), await back.text()]).toEqual([
      303,
      '/admin#signed-in',
      '',
    ]);
    expect(await ways.whoIs(browser)).toBe('zhao.mei');
  });
});
