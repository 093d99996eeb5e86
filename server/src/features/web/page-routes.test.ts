import { expect, it } from 'vitest';
import { startTestApp } from '../../../test/test-app.ts';

const origin = await (await startTestApp()).listen();

it('the pages let no script and no style of others in', async () => {
  for (const path of ['/', '/admin/students', '/student']) {
    const [first, second] = await Promise.all([fetch(origin + path), fetch(origin + path)]);
    const policy = first.headers.get('content-security-policy') ?? '';
    const nonce = /'nonce-([\w-]{20,})'/.exec(policy)?.[1] ?? 'missing';
    expect(policy).toContain("default-src 'none'; script-src 'self';");
    expect(policy).not.toContain('unsafe');
    expect(await first.text()).toContain(`nonce="${nonce}"`);
    expect(second.headers.get('content-security-policy')).not.toBe(policy);
  }
});

it('files of the build come compressed and are kept for ever, and nothing else can be asked for', async () => {
  const html = await (await fetch(`${origin}/admin`)).text();
  const script = /src="(\/assets\/[^"]+\.js)"/.exec(html)?.[1] ?? '';
  const answer = await fetch(origin + script, { headers: { 'accept-encoding': 'br' } });
  expect([answer.status, answer.headers.get('content-encoding')]).toEqual([200, 'br']);
  expect(answer.headers.get('cache-control')).toContain('immutable');
  for (const path of ['/assets/none.js', '/admin.html', '/.vite/manifest.json', '/assets/..%2fadmin.html']) {
    expect((await fetch(origin + path)).status).toBe(404);
  }
});
