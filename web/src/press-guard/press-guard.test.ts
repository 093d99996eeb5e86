import { describe, expect, it } from 'vitest';
import { PressGuard } from './press-guard.ts';

/**
 * Plays a scene word by word. A number waits so many milliseconds, and a name shows that element under the finger.
 * `press:160` presses at 160 instead of 100, and `press#2` with a second finger. `mouse` is a press of the mouse, and
 * `double` the second one of a double click. `click#2` clicks after the press of that finger. The guard must block a
 * press or click that ends in `!`. `moved:give` announces that this element moved, `opened:sheet` that a tap opened it,
 * and `scroll` scrolls by hand. `unnoticed` waits 60 ms in which nobody looks at the page.
 */
function play(scene: string): void {
  let shown = 'give';
  let now = 0;
  const guard = new PressGuard<string>(
    () => shown,
    (pressed, clicked) => pressed === clicked || `${pressed}Field` === clicked,
  );
  const press = (x: number, id: number, isDoubleClick: boolean | null) =>
    guard.press({ id, x, y: 100, at: now, isDoubleClick, thing: shown });
  const move = (element: string, fingersOnly: boolean) =>
    guard.recordMove({ contains: (thing) => thing === element, at: now, fingersOnly });
  for (const [index, word] of scene.trim().split(/\s+/).entries()) {
    const [, name = '', argument = '', finger = 1, mark] =
      /^(\w+)(?::(\w+))?(?:#(\d))?(!?)$/.exec(word) ?? [];
    const expectBlocked = (isBlocked: boolean) =>
      expect(isBlocked, `word ${index}: ${word}`).toBe(mark === '!');
    const place = Number(argument || 100);
    if (name === 'press') expectBlocked(press(place, Number(finger), null));
    else if (name === 'mouse') expectBlocked(press(place, Number(finger), false));
    else if (name === 'double') expectBlocked(press(place, Number(finger), true));
    else if (name === 'click') expectBlocked(guard.click(Number(finger), shown, now));
    else if (name === 'moved' || name === 'opened') move(argument, name === 'opened');
    else if (name === 'scroll') guard.forget();
    else if (name === 'unnoticed') now += 60;
    else if (/^\d+$/.test(name)) {
      now += Number(name);
      if (guard.isWatching(now)) guard.check(now);
    } else shown = name;
  }
}

/** Declares a test for each scene, by its title. */
const itPlays = (scenes: Readonly<Record<string, string>>) =>
  it.each(Object.entries(scenes))('%s: %s', (_, scene) => play(scene));

describe('Repeated press in one place', () => {
  itPlays({
    'counts while the same element is there': 'press 80 press 80 press 80 press',
    'is blocked on a new element until the presses pause': 'press card 700 press! 700 press! 1000 press',
    'is blocked on the last of several new elements':
      'press 40 shade 100 850 confirm 100 100 press! 1000 press',
    'is blocked long after an earlier new element': `press notice ${'100 '.repeat(30)}card 100 press!`,
    'counts when the first element is back in its place': 'press notice 200 give 200 press',
    'counts after the page was scrolled by hand': 'press card 200 scroll press',
    'is blocked on an element that came seconds later, just now': 'press 3000 card unnoticed press!',
    'with a mouse is blocked on an element that came between the clicks of a double click':
      'mouse card 400 double:103! mouse:103',
  });
});

describe('A press away from the last one', () => {
  itPlays({
    'counts at once, even if the whole page has changed': 'press sheet 30 press:160',
    'is blocked inside a list that was just sorted': 'moved:give 200 press:300! mouse:300! 200 press:300',
    'is blocked for fingers, not for the mouse, inside a panel that just opened':
      'press sheet opened:sheet opened:board 200 press:300! mouse:300 200 press:300',
  });
});

describe('Click', () => {
  itPlays({
    'is blocked on an element that came while the finger was down': 'press click 120 card click!',
    'is blocked on an element that moved while the finger was down': 'press 60 moved:give 60 click!',
    'reaches the field of the pressed label': 'press giveField click',
    'is judged by the press of the same finger, even if another finger came down in between':
      'press card press#2! press:300#3 click#2! click#3 give click',
    'counts without a press, as with a screen reader': 'press card click#9',
  });
});
