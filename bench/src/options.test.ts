import { describe, expect, it } from 'vitest';
import { median } from './measure.ts';
import { readOptions, UsageError } from './options.ts';

describe('the options of the benchmark', () => {
  it('are the documented ones when none is given', () => {
    expect(readOptions([], '/here')).toEqual({
      records: 300_000,
      workloads: ['W1', 'W2', 'W3', 'W3k', 'W4', 'W5'],
      rounds: 3,
      seconds: 5,
      connections: 32,
      jsonFile: null,
      keptFolder: null,
      profileFolder: null,
      databaseUrl: null,
      pinned: false,
      workers: 1,
    });
  });

  it('take paths from where the command was typed', () => {
    const options = readOptions(['--json', 'out.json', '--keep', '/data'], '/here');
    expect(options).toMatchObject({ jsonFile: '/here/out.json', keptFolder: '/data' });
  });

  it('keep the order of the report whatever the order asked for', () => {
    expect(readOptions(['--only', 'W3,W1'], '/')?.workloads).toEqual(['W1', 'W3']);
  });

  it.each([['--only', 'W9'], ['--records', '12'], ['--seconds', 'x'], ['--unknown']])(
    'refuse %s %s',
    (...args: string[]) => {
      expect(() => readOptions(args.filter(Boolean), '/')).toThrow(UsageError);
    },
  );

  it('only show the usage when help is asked for', () => {
    expect(readOptions(['--help'], '/')).toBeNull();
  });
});

describe('the median', () => {
  it('is the middle one, or the mean of the two in the middle', () => {
    expect(median([9, 1, 5])).toBe(5);
    expect(median([4, 1, 9, 5])).toBe(4.5);
  });
});
