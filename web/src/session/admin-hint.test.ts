import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { offlineAnswers } from './offline-answers.ts';

class Stored {
  private readonly items = new Map<string, string>();
  getItem = (key: string) => this.items.get(key) ?? null;
  setItem = (key: string, value: string) => void this.items.set(key, value);
  removeItem = (key: string) => void this.items.delete(key);
}

beforeEach(() => void vi.stubGlobal('localStorage', new Stored()));
afterEach(() => void vi.unstubAllGlobals());

async function openPage() {
  const { openAdminHint } = await import('./admin-hint.ts');
  return openAdminHint();
}

type Page = Awaited<ReturnType<typeof openPage>>;

function keepClass(page: Page, adminId: number): void {
  const client = new QueryClient();
  const shown = new QueryObserver(client, { queryKey: ['listUsers'], initialData: ['Li Wei'] });
  const stop = shown.subscribe(() => undefined);
  const mark = page.ownMark();
  if (mark !== null) offlineAnswers.save(client, adminId, mark);
  stop();
  client.clear();
}

const opened = (page: Page) => offlineAnswers.restore(new QueryClient(), page.ownMark());

describe('Stored answers of the last class', () => {
  it('are shown to the same person in a later page', async () => {
    const page = await openPage();
    page.recordSignIn();
    keepClass(page, 1);
    expect(opened(await openPage())).toBe(1);
  });

  it('are not stored by a page after another person signed in in another tab', async () => {
    const [first, second] = [await openPage(), await openPage()];
    first.recordSignIn();
    keepClass(first, 1);
    second.forget();
    second.recordSignIn();
    keepClass(first, 1);
    expect(opened(await openPage())).toBe(null);
    keepClass(second, 2);
    expect(opened(first)).toBe(null);
  });

  it('are not shown to the next person, even when the old page wrote last', async () => {
    const first = await openPage();
    first.recordSignIn();
    const late = first.ownMark() ?? '';
    const second = await openPage();
    second.recordSignIn();
    offlineAnswers.save(new QueryClient(), 1, late);
    expect(opened(second)).toBe(null);
    expect(localStorage.getItem('classledger.kept-answers')).toBe(null);
  });

  it('are gone in all tabs after sign-out, even if the server did not receive the sign-out', async () => {
    const [first, second] = [await openPage(), await openPage()];
    first.recordSignIn();
    const third = await openPage();
    keepClass(first, 1);
    first.markLeaving();
    for (const page of [first, second, third, await openPage()]) {
      keepClass(page, 1);
      expect([opened(page), page.isPresent()]).toEqual([null, true]);
    }
    first.recordSignIn();
    keepClass(first, 1);
    expect(opened(first)).toBe(1);
  });
});
