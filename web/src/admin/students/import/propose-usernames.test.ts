import { describe, expect, it } from 'vitest';
import {
  lookalikeKey,
  patternErrorOf,
  proposeUsernames,
  translatePattern,
  usernamePatterns,
} from './propose-usernames.ts';

const propose = (pattern: string, students: Student[], taken: string[] = []) =>
  proposeUsernames(
    students.map(([name, gradeName, className]) => ({ name, gradeName, className })),
    taken,
    { pattern, schoolYear: 2026 },
  );
type Student = [name: string, gradeName: string, className: string];
const inClass = (name: string): Student => [name, '七年级', '3班'];
const withoutClass = (name: string): Student => [name, '', ''];

describe('Proposed usernames', () => {
  it('consist of entry year, class and number, as Chinese schools assign them', () => {
    const proposals: [username: string, name: string, gradeName: string, className: string][] = [
      ['20260301', '张伟', '七年级', '3班'],
      ['20260302', '王芳', '七年级', '3班'],
      ['20250301', '李娜', '八年级', '（3）班'],
      ['20251201', '刘洋', '高二', '12班'],
      ['20250101', '陈晨', '2025级', '1班'],
      ['20240201', '赵敏', '', '三年级2班'],
      ['20260101', '孙悦', '一年级', '一班'],
      ['20260201', '周杰', '2029届', '2班'],
    ];
    const students = proposals.map(([, ...student]) => student);
    expect(propose(usernamePatterns.entryClassNumber, students)).toEqual(proposals.map(([first]) => first));
  });

  it.each([
    ['Grade 7', 'Class 1', '70101'],
    ['Grade 7', '7A', '7a01'],
    ['Year 10', 'Blue', '10blue01'],
    ['初一', '3班', '70301'],
    ['七年级', '火箭班', '701'],
    ['初一 Grade 7', '3', '70301'],
  ])('turn %s and %s into %s', (gradeName, className, username) => {
    expect(propose(usernamePatterns.gradeClassNumber, [['a', gradeName, className]])).toEqual([username]);
  });

  it('use names in Latin letters without accents and marks', () => {
    const names = ['Anna Maria Lee', 'Lee, Anna', 'José Müller', "Sinéad O'Neil", 'Zoë', 'Łukasz Groß'];
    const students = names.map(withoutClass);
    expect(propose(usernamePatterns.firstLast, students)).toEqual([
      ...['anna.lee', 'anna.lee2', 'jose.muller', 'sinead.oneil', 'zoe', 'lukasz.gross'],
    ]);
    expect(propose(usernamePatterns.initialLast, students).slice(0, 2)).toEqual(['alee', 'alee2']);
  });

  it('are empty when the pattern needs Latin letters that the name lacks', () => {
    expect(propose(usernamePatterns.firstLast, [inClass('张伟')])).toEqual(['']);
    expect(propose('{last}{number}', [inClass('张伟')])).toEqual(['']);
    expect(propose('{number4}', [inClass('张伟')])).toEqual(['0001']);
  });

  it('skip existing usernames and usernames that look like existing ones', () => {
    const students = ['a', 'b'].map(inClass);
    const next = propose(usernamePatterns.entryClassNumber, students, ['20260301', '2O26O3O2']);
    expect(next).toEqual(['20260303', '20260304']);
    const anna = [withoutClass('Anna Lee')];
    expect(propose(usernamePatterns.firstLast, anna, ['Anna.1ee'])).toEqual(['anna.lee2']);
  });

  it('are unique across classes and beyond 99', () => {
    const many = Array.from({ length: 150 }, () => inClass('x'));
    const other = many.map((): Student => ['x', '一年级', '3班']);
    const all = propose(usernamePatterns.entryClassNumber, [...many, ...other, ['x', '七年级', '30班']]);
    expect(new Set(all.map(lookalikeKey)).size).toBe(301);
    expect(all[149]).toBe('202603150');
    const names = ['Anna Lee', 'Anna Lee', 'Anna Lee2'].map(withoutClass);
    expect(propose(usernamePatterns.firstLast, names)).toEqual(['anna.lee', 'anna.lee2', 'anna.lee22']);
  });
});

describe('Username pattern', () => {
  it('can be written in both languages, with the given number of digits', () => {
    expect(translatePattern(usernamePatterns.entryNumber, 'zh')).toBe('{入学年份}{序号4}');
    for (const pattern of ['S{year}{number4}', 'S{入学年份}{序号4}', 'S{ Entry }｛number4｝']) {
      expect(propose(pattern, [inClass('a'), inClass('b')])).toEqual(['S20260001', 'S20260002']);
    }
  });

  it.each([
    ['{foo}{number}', '{foo}'],
    ['{number', '{'],
    ['{}', '{}'],
    ['s{number}', null],
  ])('%s has the fault %s', (pattern, fault) => {
    expect(patternErrorOf(pattern)).toBe(fault);
  });
});
