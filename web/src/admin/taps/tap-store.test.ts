import { describe, expect, it } from 'vitest';
import type { Tap } from './scoring-queue.ts';
import { tapStore } from './tap-store.ts';

function place() {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
}

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
  problem: null,
});

describe('the store of taps', () => {
  it('gives the next page what the last one kept', () => {
    const storage = place();
    tapStore(1, storage).write([tap('a', 'waiting'), tap('b', 'done')]);
    expect(tapStore(1, storage).read()).toEqual([tap('a', 'waiting'), tap('b', 'done')]);
  });

  it("never shows one administrator another one's", () => {
    const storage = place();
    tapStore(1, storage).write([tap('a', 'waiting')]);
    expect(tapStore(2, storage).read()).toEqual([]);
  });

  it('leaves what another tab has still to send, and nothing else of it', () => {
    const storage = place();
    const here = tapStore(1, storage);
    const there = tapStore(1, storage);
    there.write([tap('theirs', 'waiting'), tap('settled', 'done')]);
    here.write([tap('ours', 'sending')]);
    expect(here.read().map(({ key }) => key)).toEqual(['ours', 'theirs']);
  });

  it('starts empty where something unreadable is kept, and bears a storage that refuses', () => {
    expect(tapStore(1, { getItem: () => '{', setItem: () => {} }).read()).toEqual([]);
    const refusing = tapStore(1, {
      getItem: () => null,
      setItem: () => {
        throw new Error('full');
      },
    });
    expect(() => refusing.write([tap('a', 'sending')])).not.toThrow();
  });
});
