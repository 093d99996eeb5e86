import { describe, expect, it } from 'vitest';
import type { Tap } from './tap.ts';
import { SharedStorage } from './tap-browser.ts';
import { TapStore } from './tap-store.ts';

const tap = (key: string, state: Tap['state']): Tap => ({
  key,
  state,
  schoolDb: 'school_1',
  classId: 1,
  studentIds: [1],
  change: 1,
  description: '',
  at: 0,
  takenBack: false,
  logIds: [],
  refusedIds: [],
  stuckCount: 0,
  failures: 0,
  doubt: 'none',
  problem: null,
});

const storeOf = (adminId: number, pageId: string, storage: SharedStorage, now = 5) =>
  new TapStore(adminId, pageId, storage, () => now);

describe('the store of taps', () => {
  it('shows other pages what one has kept, and whether it was left', () => {
    const storage = new SharedStorage();
    const page = storeOf(1, 'a', storage);
    page.write([tap('1', 'waiting'), tap('2', 'done')]);
    const other = storeOf(1, 'b', storage);
    const taps = [tap('1', 'waiting'), tap('2', 'done')];
    expect(other.others()).toEqual([{ pageId: 'a', taps, left: false, writtenAt: 5 }]);
    page.leave();
    expect(other.others()).toMatchObject([{ left: true }]);
    expect(page.others()).toEqual([]);
  });

  it("never shows one administrator another one's", () => {
    const storage = new SharedStorage();
    storeOf(1, 'a', storage).write([tap('1', 'waiting')]);
    for (const adminId of [2, 11]) expect(storeOf(adminId, 'b', storage).others()).toEqual([]);
  });

  it('leaves what is settled to a page that is only silent', () => {
    const storage = new SharedStorage();
    const page = storeOf(1, 'a', storage);
    page.write([tap('1', 'waiting'), tap('2', 'done'), tap('3', 'unsure')]);
    storeOf(1, 'b', storage).remove('a', 'unsettled');
    expect(page.stillOwn()).toEqual(new Set(['2', '3']));
  });

  it('lets a page know that all of its taps were taken, for a day', () => {
    const storage = new SharedStorage();
    const page = storeOf(1, 'a', storage);
    page.write([tap('1', 'waiting')]);
    storeOf(1, 'b', storage).remove('a', 'all');
    expect(page.stillOwn()).toEqual(new Set());
    expect(storeOf(1, 'b', storage, 48 * 3_600_000).others()).toEqual([]);
    expect(storage.length).toBe(0);
  });

  it('passes over what is unreadable, and bears a storage that refuses', () => {
    const storage = new SharedStorage();
    storage.setItem('classledger.taps.1.a', '{');
    storage.setItem('classledger.taps.1.b', '{"taps":[null,{"key":1}]}');
    storage.isFull = true;
    const page = storeOf(1, 'c', storage);
    expect(page.others()).toEqual([]);
    expect(() => page.write([tap('1', 'sending')])).not.toThrow();
    expect(page.stillOwn()).toBe(null);
  });
});
