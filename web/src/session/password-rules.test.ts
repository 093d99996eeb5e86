import { describe, expect, it } from 'vitest';
import { passwordErrorsOf, strengthOf } from './password-rules.ts';

const own = ['li.wei', '李伟', 'Riverside School'];

describe('Password strength', () => {
  it.each([
    ['12345678', 0, 'rows'],
    ['aaaaaaaaaaaa', 0, 'rows'],
    ['password1', 0, 'common'],
    ['Woaini520', 0, 'common'],
    ['liwei2012', 0, 'aboutYou'],
    ['li.wei2012', 0, 'aboutYou'],
    ['riverside', 0, 'aboutYou'],
    ['李伟李伟李伟', 0, 'aboutYou'],
    ['20120315', 0, 'rows'],
    ['kindle42', 1, 'longer'],
    ['battery staple', 2, null],
    ['correct horse battery', 3, null],
    ['三只蓝色的猫在唱歌', 3, null],
    ['k7wmq2xrtb93', 2, null],
  ] as const)('of %s is %i, with the tip %s', (password, level, tip) => {
    expect(strengthOf(password, own)).toEqual({ level, tip });
  });

  it('never falls when ordinary text is appended', () => {
    const sentence = 'Mein Hund mag 7 Würste';
    const levels = [...sentence].map((_, i) => strengthOf(sentence.slice(0, i + 1), own).level);
    expect(levels).toEqual(levels.toSorted());
    expect(levels.at(-1)).toBe(3);
  });
});

describe('Password change form', () => {
  it.each([
    ['', '', '', { old: 'required', fresh: 'tooShort' }],
    ['old one', '12345', '12345', { fresh: 'tooShort' }],
    ['old one', '学学学学学学', '学学学学学学', {}],
    ['old one', 'old one', 'old one', { fresh: 'sameAsOld' }],
    ['old one', 'new one', 'new onE', { repeated: 'notTheSame' }],
    ['old one', ' spaces ', ' spaces ', {}],
  ])('reports the faults of old %j, new %j and repeated %j', (old, fresh, repeated, faults) => {
    expect(passwordErrorsOf({ old, fresh, repeated }, 6)).toEqual(faults);
  });
});
