import { describe, expect, it } from 'vitest';
import { PlaceGuard } from './place-guard.ts';

/** A screen where one thing lies everywhere, until another does. */
function screen() {
  const shown = { thing: 'give' };
  const clock = { now: 0 };
  const guard = new PlaceGuard<string>(() => shown.thing);
  const press = (x = 100, again: boolean | null = null) =>
    guard.press({ x, y: 100, at: clock.now, again, thing: shown.thing });
  const wait = (ms: number) => {
    clock.now += ms;
    if (guard.isWatching(clock.now)) guard.look(clock.now);
  };
  return { shown, clock, guard, press, wait };
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
    // Not yet looked at since.
    clock.now += 60;
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
    guard.moved((thing) => thing === 'give', clock.now);
    wait(200);
    expect(press(300)).toBe(true);
    wait(200);
    expect(press(300)).toBe(false);
  });
});
