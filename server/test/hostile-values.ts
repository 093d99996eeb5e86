export const texts = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'x\udfff',
  '\ud83d\ude00',
  '\u202e\u200b',
  '\u0007',
  '\u007f\u0085',
  "'; DROP TABLE student; --",
  '%_\\',
  '{{7*7}}',
  '#{1}',
  '<script>',
  '../../../etc/passwd',
  'null',
  'undefined',
  'NaN',
  'true',
  '0x10',
  '1e3',
  '00001',
  '-0',
  '１２',
  'e\u0301'.repeat(60),
  '👩‍👩‍👧‍👦'.repeat(40),
  'a'.repeat(64),
  'a'.repeat(65),
  'a'.repeat(101),
  'a'.repeat(501),
  'z'.repeat(20_000),
];

export const numbers = [
  0, -0, 1, -1, 1.5, -2.000001, 9_999, 10_000, 10_001, -10_000, -10_001, 2_147_483_647, 2_147_483_648,
  -2_147_483_649, 9_007_199_254_740_991, 9_007_199_254_740_992, 1e19, -1e19, 1e300, 5e-324,
];

export const dates = (
  '2026-09-15 2026-02-30 0001-01-01 0000-12-31 9999-12-31 +10000-01-01 2026-09-15T10:00:00Z ' +
  '0001-01-01T00:00:00.000Z 0001-01-01T00:00:00+23:59 9999-12-31T23:59:59.999Z ' +
  '9999-12-31T23:59:59.9999Z 9999-12-31T23:59:59-23:59 2026-09-15T24:00:00Z 2026-09-15T10:00:60Z ' +
  '20260915 1789466400000'
).split(' ');

export const rawPieces = '% %zz %00 %ff %ed%a0%80 %c0%af %2e%2e%2f %25 + ; #x %F0%9F%98%80 && ==='.split(' ');

export const contentTypes = [
  'application/json; charset=utf-8',
  'application/json;charset=utf-16',
  'APPLICATION/JSON',
  'application/json, text/plain',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/vnd.api+json',
  'application/octet-stream',
  '*/*',
  ';',
  'x',
  '',
  'application/json; charset="',
];

export const headerValues = [
  '',
  ' ',
  ',',
  '\t',
  'ÿþ',
  '"',
  '*',
  'chunked',
  'close',
  'http://evil.example',
  '100-continue',
  'h2c',
  '0',
  '-1',
  '1e9',
];
export const oddHeaders = (
  'accept accept-encoding accept-version connection cookie expect forwarded host if-match origin prefer ' +
  'range referer te upgrade user-agent x-forwarded-for x-forwarded-proto x-http-method-override ' +
  'x-request-id'
).split(' ');

/** Bodies other than a JSON object: other JSON, broken JSON, bytes. */
export const rawBodies: readonly (string | Buffer)[] = [
  '',
  ' ',
  '{',
  '{}',
  '[]',
  'null',
  '"text"',
  '17',
  '{"a":1,}',
  "{'a':1}",
  '{"a":1}{"b":2}',
  '{"scoreChange":1e999}',
  '{"scoreChange":01}',
  '{"__proto__":{"admin":true}}',
  '{"constructor":{"prototype":{"x":1}}}',
  '\ufeff{}',
  '['.repeat(50_000),
  `${'{"items":['.repeat(5_000)}`,
  `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
  `{"items":${'['.repeat(5_000)}${']'.repeat(5_000)}}`,
  Buffer.from([0x7b, 0xff, 0xfe, 0x7d]),
  Buffer.from('{"username":"\xff"}', 'latin1'),
  Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]),
  Buffer.from('{"name":"a"}', 'utf16le'),
  Buffer.alloc(300),
];
