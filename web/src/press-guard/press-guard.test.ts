import { describe, expect, it } from 'vitest';
import { PressGuard } from './press-guard.ts';

function screen() {
  const shown = { thing: 'give' };
  const clock = { now: 0 };
  const guard = new PressGuard<string>(
    () => shown.thing,
    (pressed, clicked) => pressed === clicked || `${pressed} field` === clicked,
  );
  const press = (x = 100, isDoubleClick: boolean | null = null, id = 1) =>
    guard.press({ id, x, y: 100, at: clock.now, isDoubleClick, thing: shown.thing });
  const click = (id = 1) => guard.click(id, shown.thing, clock.now);
  const wait = (ms: number) => {
    clock.now += ms;
    if (guard.isWatching(clock.now)) guard.check(clock.now);
  };
  return { shown, clock, guard, press, click, wait };
}

/**
 * Plays a scene. A number waits so many milliseconds, and a name shows that element under the finger.
 * `press` is a press that counts, `press!` one that is blocked, and `scroll` scrolls by hand.
 */
function play(scene: string): void {
  const { press, wait, shown, guard } = screen();
  for (const [index, word] of scene.split(' ').entries()) {
    if (word === 'press' || word === 'press!') expect(press(), `word ${index}`).toBe(word === 'press!');
    else if (word === 'scroll') guard.forget();
    else if (/^\d+$/.test(word)) wait(Number(word));
    else shown.thing = word;
  }
}

describe('Repeated press in one place', () => {
  it.each([
    ['counts while the same element is there', 'press 80 press 80 press 80 press'],
    ['is blocked on a new element until the presses pause', 'press card 700 press! 700 press! 1000 press'],
    [
      'is blocked on the last of several new elements',
      'press 40 shade 100 850 confirm 100 100 press! 1000 press',
    ],
    ['is blocked long after an earlier new element', `press notice ${'100 '.repeat(30)}card 100 press!`],
    ['counts when the first element is back in its place', 'press notice 200 give 200 press'],
    ['counts after the page was scrolled by hand', 'press card 200 scroll press'],
  ])('%s: %s', (_, scene) => play(scene));

  it('is blocked on a new element that appears seconds later, before the page notices it', () => {
    const { press, wait, shown, clock } = screen();
    press();
    wait(3_000);
    shown.thing = 'card';
    clock.now += 60;
    expect(press()).toBe(true);
  });

  it('with a mouse is blocked on an element that came between the clicks of a double click', () => {
    const { press, wait, shown } = screen();
    press(100, false);
    shown.thing = 'card';
    wait(400);
    expect(press(103, true)).toBe(true);
    expect(press(103, false)).toBe(false);
  });
});

describe('A press away from the last one', () => {
  it('counts at once, even if the whole page has changed', () => {
    const { press, wait, shown } = screen();
    press();
    shown.thing = 'sheet';
    wait(30);
    expect(press(160)).toBe(false);
  });

  it('is blocked inside a list that was just sorted', () => {
    const { press, wait, guard, clock } = screen();
    guard.recordMove({ contains: (thing) => thing === 'give', at: clock.now, fingersOnly: false });
    wait(200);
    expect(press(300)).toBe(true);
    expect(press(300, false)).toBe(true);
    wait(200);
    expect(press(300)).toBe(false);
  });

  it('is blocked for fingers, not for the mouse, inside a panel that just opened', () => {
    const { press, wait, guard, clock, shown } = screen();
    press();
    shown.thing = 'sheet';
    guard.recordMove({ contains: (thing) => thing === 'sheet', at: clock.now, fingersOnly: true });
    guard.recordMove({ contains: (thing) => thing === 'board', at: clock.now, fingersOnly: true });
    wait(200);
    expect(press(300)).toBe(true);
    expect(press(300, false)).toBe(false);
    wait(200);
    expect(press(300)).toBe(false);
  });
});

describe('Click', () => {
  it('is blocked on an element that came while the finger was down', () => {
    const { press, click, wait, shown } = screen();
    press();
    expect(click()).toBe(false);
    wait(120);
    shown.thing = 'card';
    expect(click()).toBe(true);
  });

  it('is blocked on an element that moved while the finger was down', () => {
    const { press, click, wait, guard, clock } = screen();
    press();
    wait(60);
    guard.recordMove({ contains: () => true, at: clock.now, fingersOnly: false });
    wait(60);
    expect(click()).toBe(true);
  });

  it('reaches the field of the pressed label', () => {
    const { press, click, shown } = screen();
    press();
    shown.thing = 'give field';
    expect(click()).toBe(false);
  });

  it('is judged by the press of the same finger, even if another finger came down in between', () => {
    const { press, click, shown } = screen();
    press(100, null, 1);
    shown.thing = 'card';
    expect(press(100, null, 2)).toBe(true);
    expect(press(300, null, 3)).toBe(false);
    expect(click(2)).toBe(true);
    expect(click(3)).toBe(false);
    shown.thing = 'give';
    expect(click(1)).toBe(false);
  });

  it('counts without a press, as with a screen reader', () => {
    const { press, click, shown } = screen();
    press();
    shown.thing = 'card';
    expect(click(9)).toBe(false);
  });
});
