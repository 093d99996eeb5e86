import { describe, expect, it } from 'vitest';
import { median } from './measure.ts';
import { readOptions, UsageError } from './options.ts';

describe('readOptions', () => {
  it('returns the documented defaults without arguments', () => {
    expect(readOptions([], '/here')).toEqual({
      records: 300_000,
      workloads: ['W1', 'W2', 'W5', 'W3', 'W3k', 'W4'],
      rounds: 3,
      seconds: 5,
      keptFolder: null,
      databaseUrl: null,
      pinned: false,
      workers: 1,
    });
  });

  it('resolves the kept folder from the folder where the command was called', () => {
    const keptFolder = (given: string) => readOptions(['--keep', given], '/here')?.keptFolder;
    expect([keptFolder('data'), keptFolder('/data')]).toEqual(['/here/data', '/data']);
  });

  it('puts reads before writes in --only, because writes make the data grow', () => {
    expect(readOptions(['--only', 'W3,W5,W1'], '/')?.workloads).toEqual(['W1', 'W5', 'W3']);
  });

  it.each([['--only', 'W9'], ['--records', '12'], ['--seconds', 'x'], ['--unknown']])(
    'rejects %s %s',
    (...args: string[]) => {
      expect(() => readOptions(args.filter(Boolean), '/')).toThrow(UsageError);
    },
  );

  it('returns null for --help', () => {
    expect(readOptions(['--help'], '/')).toBeNull();
  });
});

describe('median', () => {
  it('returns the middle value, or the mean of the two middle values', () => {
    expect(median([9, 1, 5])).toBe(5);
    expect(median([4, 1, 9, 5])).toBe(4.5);
  });
});
