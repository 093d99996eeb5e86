import { expect, it } from 'vitest';
import { removeNameBlanks } from './normalize-text.ts';

it.each([
  ['张 三', '张三'],
  ['张\u3000\u3000三', '张三'],
  ['欧阳\u00A0娜 娜', '欧阳娜娜'],
  ['阿依古丽 · 买买提', '阿依古丽·买买提'],
  ['𠮷 野家', '𠮷野家'],
  ['Anna Maria', 'Anna Maria'],
  ['Zhang 三', 'Zhang 三'],
  ['张 San', '张 San'],
  ['김 민준', '김 민준'],
])('blanks inside a Chinese name are removed, blanks in other names stay: %s', (name, closed) => {
  expect(removeNameBlanks(name)).toBe(closed);
});
