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

describe('Repeated press in one place', () => {
  it('counts while the same element is there', () => {
    const { press, wait } = screen();
    for (let i = 0; i < 5; i++) {
      expect(press()).toBe(false);
      wait(80);
    }
  });

  it('is blocked on a new element, as long as the presses continue', () => {
    const { press, wait, shown } = screen();
    press();
    shown.thing = 'card';
    for (let i = 0; i < 4; i++) {
      wait(700);
      expect(press()).toBe(true);
    }
    wait(1_000);
    expect(press()).toBe(false);
  });

  it('is blocked on a new element that appears seconds later', () => {
    const { press, wait, shown, clock } = screen();
    press();
    wait(3_000);
    shown.thing = 'card';
    clock.now += 60;
    expect(press()).toBe(true);
  });

  it('is blocked on the last of several new elements', () => {
    const { press, wait, shown } = screen();
    press();
    wait(40);
    shown.thing = 'shade';
    for (const ms of [100, 850]) wait(ms);
    shown.thing = 'confirm';
    wait(100);
    wait(100);
    expect(press()).toBe(true);
    wait(1_000);
    expect(press()).toBe(false);
  });

  it('is blocked on a new element, even after an earlier new element has long been visible', () => {
    const { press, wait, shown } = screen();
    press();
    shown.thing = 'notice';
    for (let i = 0; i < 30; i++) wait(100);
    shown.thing = 'card';
    wait(100);
    expect(press()).toBe(true);
  });

  it('counts when the element that was pressed first is back in its place', () => {
    const { press, wait, shown } = screen();
    press();
    shown.thing = 'notice';
    wait(200);
    shown.thing = 'give';
    wait(200);
    expect(press()).toBe(false);
  });

  it('counts after the page was scrolled by hand', () => {
    const { press, wait, shown, guard } = screen();
    press();
    shown.thing = 'card';
    wait(200);
    guard.forget();
    expect(press()).toBe(false);
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
