import { describe, expect, it } from 'vitest';
import { ListChanged } from './api-failure.ts';
import { readAll } from './read-all.ts';

const limit = 3;
const { signal } = new AbortController();
const numbered = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => ({ id: from + index }));
const idsOf = (rows: readonly { id: number }[]) => rows.map(({ id }) => id);

function changingList(list: { id: number }[], changes: Readonly<Record<number, () => void>> = {}) {
  let calls = 0;
  return {
    calls: () => calls,
    readPage: async ({ page }: { page: number }) => {
      calls += 1;
      changes[calls]?.();
      return { rows: list.slice((page - 1) * limit, page * limit), total: list.length };
    },
  };
}

describe('readAll', () => {
  it.each([0, 1, 3, 7])('reads %i entries', async (count) => {
    const done: string[] = [];
    const { readPage } = changingList(numbered(1, count));
    const onProgress = (read: number, total: number) => done.push(`${read}/${total}`);
    const rows = await readAll(readPage, { onProgress, signal }, limit);
    expect(idsOf(rows)).toEqual(idsOf(numbered(1, count)));
    expect(done.at(-1)).toBe(`${count}/${count}`);
  });

  it.each([2, 3, 4])('misses nothing when earlier entries disappear before call %i', async (call) => {
    const list = numbered(1, 10);
    const { readPage } = changingList(list, { [call]: () => list.splice(0, 4) });
    const rows = await readAll(readPage, { signal }, limit);
    expect(idsOf(rows)).toEqual(expect.arrayContaining(idsOf(numbered(5, 10))));
    expect(idsOf(rows)).toEqual(idsOf(rows).toSorted((a, b) => a - b));
  });

  it('returns each entry once when new entries push others to the next page', async () => {
    const list = numbered(1, 7);
    const { readPage, calls } = changingList(list, { 2: () => list.unshift({ id: 0 }) });
    const rows = await readAll(readPage, { signal }, limit);
    expect(idsOf(rows)).toEqual(idsOf(numbered(1, 7)));
    expect(calls()).toBe(3);
  });

  it('reads again when the order changed, and gives no incomplete list after three readings', async () => {
    const list = numbered(1, 6);
    const firstBecomesLast = () => list.push(...list.splice(0, 1));
    const once = changingList(list, { 2: firstBecomesLast });
    expect(await readAll(once.readPage, { signal }, limit)).toHaveLength(6);
    expect(once.calls()).toBe(4);
    const always = changingList(list, { 2: firstBecomesLast, 4: firstBecomesLast, 6: firstBecomesLast });
    await expect(readAll(always.readPage, { signal }, limit)).rejects.toThrow(ListChanged);
  });

  it('stops when its signal aborts', async () => {
    const stop = new AbortController();
    const { readPage, calls } = changingList(numbered(1, 9), { 2: () => stop.abort() });
    await expect(readAll(readPage, { signal: stop.signal }, limit)).rejects.toThrow('abort');
    expect(calls()).toBe(2);
  });
});
