import { describe, expect, it } from 'vitest';
import { PlaceGuard } from './place-guard.ts';

function screen() {
  const shown = { thing: 'give' };
  const clock = { now: 0 };
  const guard = new PlaceGuard<string>(
    () => shown.thing,
    (pressed, clicked) => pressed === clicked || `${pressed} field` === clicked,
  );
  const press = (x = 100, again: boolean | null = null, id = 1) =>
    guard.press({ id, x, y: 100, at: clock.now, again, thing: shown.thing });
  const click = (id = 1) => guard.click(id, shown.thing, clock.now);
  const wait = (ms: number) => {
    clock.now += ms;
    if (guard.isWatching(clock.now)) guard.look(clock.now);
  };
  return { shown, clock, guard, press, click, wait };
}

describe('a press in the place of the one before', () => {
  it('counts, however often, while the same thing lies there', () => {
    const { press, wait } = screen();
    for (let i = 0; i < 5; i++) {
      expect(press()).toBe(false);
      wait(80);
    }
  });

  it('does nothing to what came to lie there, as long as the finger goes on', () => {
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

  it('does nothing either where that came late, when the server had answered', () => {
    const { press, wait, shown, clock } = screen();
    press();
    wait(3_000);
    shown.thing = 'card';
    // `look` has not run since.
    clock.now += 60;
    expect(press()).toBe(true);
  });

  it('does nothing to what came there last, however long something else lay between', () => {
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

  it('does nothing to what came after something else had settled there', () => {
    const { press, wait, shown } = screen();
    press();
    shown.thing = 'notice';
    for (let i = 0; i < 30; i++) wait(100);
    shown.thing = 'card';
    wait(100);
    expect(press()).toBe(true);
  });

  it('counts again once the thing is back', () => {
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

  it('of a mouse does nothing to what came between the halves of a double click', () => {
    const { press, wait, shown } = screen();
    press(100, false);
    shown.thing = 'card';
    wait(400);
    expect(press(103, true)).toBe(true);
    expect(press(103, false)).toBe(false);
  });
});

describe('a press elsewhere', () => {
  it('counts at once, though everything has changed', () => {
    const { press, wait, shown } = screen();
    press();
    shown.thing = 'sheet';
    wait(30);
    expect(press(160)).toBe(false);
  });

  it('does nothing inside a list that was sorted anew a moment ago', () => {
    const { press, wait, guard, clock } = screen();
    guard.moved({ within: (thing) => thing === 'give', at: clock.now, fingersOnly: false });
    wait(200);
    expect(press(300)).toBe(true);
    expect(press(300, false)).toBe(true);
    wait(200);
    expect(press(300)).toBe(false);
  });

  it('of a finger does nothing inside a sheet that came up a moment ago, whatever moved since', () => {
    const { press, wait, guard, clock, shown } = screen();
    press();
    shown.thing = 'sheet';
    guard.moved({ within: (thing) => thing === 'sheet', at: clock.now, fingersOnly: true });
    guard.moved({ within: (thing) => thing === 'board', at: clock.now, fingersOnly: true });
    wait(200);
    expect(press(300)).toBe(true);
    expect(press(300, false)).toBe(false);
    wait(200);
    expect(press(300)).toBe(false);
  });
});

describe('a click', () => {
  it('does nothing to what came while the finger was down', () => {
    const { press, click, wait, shown } = screen();
    press();
    expect(click()).toBe(false);
    wait(120);
    shown.thing = 'card';
    expect(click()).toBe(true);
  });

  it('does nothing to what moved while the finger was down', () => {
    const { press, click, wait, guard, clock } = screen();
    press();
    wait(60);
    guard.moved({ within: () => true, at: clock.now, fingersOnly: false });
    wait(60);
    expect(click()).toBe(true);
  });

  it('reaches the field of the label that was pressed', () => {
    const { press, click, shown } = screen();
    press();
    shown.thing = 'give field';
    expect(click()).toBe(false);
  });

  it('shares the fate of its own press, though another finger came down before it arrived', () => {
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

  it('counts without a press, as of a screen reader', () => {
    const { press, click, shown } = screen();
    press();
    shown.thing = 'card';
    expect(click(9)).toBe(false);
  });
});
