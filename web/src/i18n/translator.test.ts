import { describe, expect, it } from 'vitest';
import { defineTexts, translatorOf } from './texts.ts';

const texts = defineTexts({
  plain: ['Save', '保存'],
  named: ['Hello, {{name}} and {{name}}', '{{name}}和{{name}}，你好'],
  points: ['{{points, number}} of {{most, number}}', '{{points, number}} / {{most, number}}'],
  students: [
    '{{count, number}} student in {{place}}',
    '{{count, number}} students in {{place}}',
    '{{place}}有 {{count, number}} 名学生',
  ],
  rank: ['No. {{count}}', '第 {{count}} 名'],
});

describe('Texts', () => {
  const en = translatorOf(texts, 'en');
  const zh = translatorOf(texts, 'zh-CN');

  it('appear in the requested language', () => {
    expect([en('plain'), zh('plain')]).toEqual(['Save', '保存']);
  });

  it('contain the common words, which a page may override', () => {
    expect([en('close'), zh('close')]).toEqual(['Close', '关闭']);
    const own = defineTexts({ close: ['Leave', '离开'] });
    expect(translatorOf(own, 'en')('close')).toBe('Leave');
  });

  it('insert values unchanged, whatever they look like', () => {
    expect(en('named', { name: '$& {{points, number}} <b>' })).toBe(
      'Hello, $& {{points, number}} <b> and $& {{points, number}} <b>',
    );
  });

  it('format numbers by language', () => {
    expect(en('points', { points: -1234, most: 5 })).toBe('−1,234 of 5');
  });

  it('choose the plural by the number', () => {
    expect(en('students', { count: 1, place: 'A' })).toBe('1 student in A');
    expect(en('students', { count: 0, place: 'A' })).toBe('0 students in A');
    expect(en('students', { count: 1200, place: 'A' })).toBe('1,200 students in A');
    expect(zh('students', { count: 1, place: 'A' })).toBe('A有 1 名学生');
    expect(en('rank', { count: 1 })).toBe('No. 1');
  });
});
