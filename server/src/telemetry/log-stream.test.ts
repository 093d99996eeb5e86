import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatPretty } from './log-stream.ts';

const time = Date.parse('2026-09-15T10:00:00.000Z');
const line = (fields: object) =>
  formatPretty(JSON.stringify({ level: 30, time, pid: 1, hostname: 'h', ...fields })).replace(
    /^\S+ \S+ /,
    '',
  );

it('LOG_FORMAT=pretty prints local time, level and message first, then the other fields', () => {
  expect(formatPretty(JSON.stringify({ level: 30, time, msg: 'account' }))).toMatch(
    /^2026-09-1[456] \d\d:00:00 INFO {2}account\n$/,
  );
  expect(line({ event: 'signedIn', adminId: 3, reason: 'two words', list: [1], msg: 'account' })).toBe(
    "INFO  account event=signedIn adminId=3 reason='two words' list=[ 1 ]\n",
  );
});

it('LOG_FORMAT=pretty prints the stack of an error on separate lines', () => {
  const stack = 'Error: broken\n    at here';
  expect(line({ level: 50, err: { type: 'Error', message: 'broken', stack }, msg: 'internal error' })).toBe(
    'ERROR internal error\n    Error: broken\n        at here\n',
  );
});

it('LOG_FORMAT=pretty removes characters that move the cursor or break the line', () => {
  const text = fc.string({
    unit: fc.constantFrom('a', '\n', '\r', '\u001b', '\u2028', '\u009b', '"', ' '),
  });
  fc.assert(
    fc.property(text, text, text, (msg, name, value) => {
      const printed = line({ msg, [`x${name}`]: value, more: { [name]: value } });
      expect(printed.slice(0, -1)).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
    }),
  );
});
