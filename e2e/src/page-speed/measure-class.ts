import type { Page } from 'playwright-core';

/** Runs in the page and measures from the click to the painted frame. */
export const stopwatch = `
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  const frame = () => new Promise(requestAnimationFrame);
  // A message that is posted before a frame is drawn arrives right after it.
  const painted = async () => {
    await frame();
    await new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = resolve;
      port2.postMessage(null);
    });
  };
  const measure = async (act, done) => {
    const began = performance.now();
    act();
    while (!done()) await frame();
    await painted();
    return performance.now() - began;
  };
  const cards = () => [...document.querySelectorAll('[data-student]')];
  const button = (name) => [...document.querySelectorAll('button')]
    .find((one) => (one.getAttribute('aria-label') ?? one.textContent).startsWith(name));
  const chosen = () => document.querySelectorAll('[data-selected=yes]').length;
  const text = () => cards().map((card) => card.textContent).join();
`;

/** Milliseconds per round, by measurement. */
export type MeasuredTimes = Readonly<Record<string, readonly number[]>>;

/** Measures opening a class of sixty inside the app and by a fresh load. */
export async function measureClassOpening(page: Page, rounds: number): Promise<MeasuredTimes> {
  const [inside, fresh]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    await page.getByRole('link', { name: 'Students', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Students' }).waitFor();
    inside.push(
      await page.evaluate<number>(`(async () => {
        ${stopwatch}
        const link = document.querySelector('a[href^="/admin/scoring"]');
        return measure(() => link.click(), () => cards().length === 60);
      })()`),
    );
  }
  for (let round = 0; round < rounds; round++) {
    await page.reload();
    fresh.push(
      await page.evaluate<number>(`(async () => {
        ${stopwatch}
        while (cards().length < 60) await frame();
        await painted();
        return performance.now();
      })()`),
    );
  }
  return { 'a class of 60, inside the app': inside, 'a class of 60, fresh load': fresh };
}

/** Measures selecting students and giving them points. */
export function measureGiving(page: Page, rounds: number): Promise<MeasuredTimes> {
  return page.evaluate<MeasuredTimes>(`(async () => {
    ${stopwatch}
    const times = { 'choose one': [], 'give to one': [], 'choose all': [], 'give to all': [] };
    const give = async (into, name) => {
      const before = text();
      into.push(await measure(() => button(name).click(), () => text() !== before));
      await pause(700);
    };
    for (let round = 0; round < ${rounds}; round++) {
      button('Clear').click();
      await pause(100);
      times['choose one'].push(await measure(() => cards()[round].click(), () => chosen() === 1));
      await pause(200);
      await give(times['give to one'], 'Answered');
      times['choose all'].push(await measure(() => button('Select all').click(), () => chosen() === 60));
      await pause(100);
      await give(times['give to all'], 'Homework');
    }
    return times;
  })()`);
}

/** Measures selecting 200 rows, all 5,000 students, and deselecting one. */
export function measureSelecting(page: Page, rounds: number): Promise<MeasuredTimes> {
  return page.evaluate<MeasuredTimes>(`(async () => {
    ${stopwatch}
    const times = { 'select 200 rows': [], 'select all 5,000': [], 'take one of 5,000 out': [] };
    const head = () => document.querySelector('thead input');
    const count = () => Number((document.querySelector('section output')?.textContent ?? '').replace(/\\D/g, ''));
    for (let round = 0; round < ${rounds}; round++) {
      times['select 200 rows'].push(await measure(() => head().click(), () => head().checked && count() === 200));
      await pause(200);
      times['select all 5,000'].push(await measure(() => button('Select all').click(), () => count() === 5000));
      await pause(200);
      const row = document.querySelectorAll('tbody input')[round];
      times['take one of 5,000 out'].push(await measure(() => row.click(), () => count() === 4999));
      button('Clear').click();
      await pause(200);
    }
    return times;
  })()`);
}
