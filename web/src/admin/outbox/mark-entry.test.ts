import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  attendanceEntry,
  describeMark,
  networkOutcomes,
  newPointsFor,
  OutboxWorld,
  type WorldPage,
} from './testing/outbox-world.ts';
import { itPlays, play } from './testing/play-story.ts';

describe('Absence entered without a network', () => {
  itPlays({
    'is shown by all pages, until each page knows the server’s answer': `
      page:2 page:1 requestLost requestLost absent:10 0s shown=10absent page:2 shown=10absent
      60s server=10absent shown= saved=10absent dropped= page:1 shown= saved=10absent dropped=`,
    'survives a reload, and is then sent once, in the order in which absences were entered': `
      requestLost absent:10 absent:11 present:10 0s server= close
      answerLost page:2 shown=10absent,11absent,10present
      60s server=10absent,11absent,10present saved=10absent,11absent,10present shown= stored=1`,
    'shows its answer to no page that opens later, when newer answers may exist':
      'absent:10 0s saved=10absent close page:2 10s saved= shown=',
    'leaves the storage once saved and a page closes; pages that missed the answer fetch absences again': `
      page:2 page:1 requestLost absent:10 0s
      page:2 freeze page:1 500ms keepForBack server=10absent stored=1
      wake page:2 wake 0s shown= saved= dropped=10absent page:1 shown= saved=10absent dropped=`,
    'is fetched again by other pages when the storage is too full to share the answer': `
      page:2 page:1 requestLost absent:10 0s fill:texts 500ms saved=10absent dropped=
      page:2 shown= dropped=10absent`,
  });
});

describe('Unsent absences, random picks and points', () => {
  it('wait for the network together, and points are sent first', () =>
    play(`requestLost requestLost pick:10 0s give:1 waiting=0 waitingOffline=1
      500ms points=waiting waiting=1 10s total:1=2 server=10picked waitingOffline=0`));

  it('delay points by one slow absence at most, not by every waiting absence', async () => {
    const world = new OutboxWorld();
    const marksBefore: string[][] = [];
    const { outbox, queue } = world.open({
      give: (entry) => {
        marksBefore.push([...world.marks]);
        return world.give(entry);
      },
    });
    for (const id of [10, 11, 12]) outbox.add(attendanceEntry([id]));
    const { marks } = outbox;
    queue.give(newPointsFor([1], 2));
    expect(outbox.marks).toBe(marks);
    await world.pass(0);
    expect(marksBefore).toEqual([['10 absent']]);
    expect(world.marks).toHaveLength(3);
  });
});

describe('Absence in a full storage', () => {
  itPlays({
    'keeps its older state when the new state is too long: later absences wait, and a crash loses none': `
      page:2 page:1 failAt:10 absent:10 fill:characters 0s marks=waiting
      page:2 shown=10absent makeRoom present:10 0s server=
      page:1 crash recover 60s server=10absent,10present`,
    'displaces saved points to report its rejection after a crash, and is not displaced by points': `
      give:1 0s delete:10 absent:10 fill:characters 0s
      give:2 give:3 0s pageAfterCrash marks=refused`,
  });
});

describe('Absence at which the server fails', () => {
  itPlays({
    // The absence of 10 and 14 waits, so a later one of 14 waits as well, but not one of another day.
    'delays only later absences of the same student and day': `
      failAt:10 absent:10 absent:11 present:10 pick:13 absent:10,14 late:14 absentNextDay:14
      0s server=11absent,13picked,14absent 60s shown=10absent,10present,10,14absent,14late
      recover 60s unsettled=0 server=11absent,13picked,14absent,10absent,10present,10,14absent,14late`,
    'is retried with growing pauses, also by the next page, or at once on request': `
      page:2 page:1 failAt:10 absent:10 60s attemptsAt=0,500,1500,3500,7500,15500,30500,45500
      page:2 marks=waiting sendAgain 0s attempts=9 page:1 retry 0s attempts=10
      close page:2 close page:3 14s attempts=10 1s attempts=11`,
    'can be given up after some failures, and later absences are then sent': `
      page:2 page:1 failAt:10 absent:10 1s giveUp shown=10absent
      10s late:10 recover giveUp 0s server=10late dropped=10absent page:2 dropped=10absent`,
    'is retried even when the clock is set back':
      'failAt:10 absent:10 60s recover clock:-30min 0s server=10absent',
    // The page gets the answer only when it wakes.
    'makes pages fetch absences again after the answer when given up during a request': `
      failAt:10 absent:10 5s recover freeze sendAgain giveUp shown= dropped=10absent
      wake 0s server=10absent dropped=10absent,10absent shown=`,
  });
});

describe('Absence that the server rejects', () => {
  itPlays({
    'stays with the reason until dismissed in all pages, and delays no other absence': `
      page:2 page:1 delete:10 absent:10 0s recover 1ms late:10 10s server=10late
      marks=refused problem=400,no unsettled=0
      page:3 marks=refused problem=400,no unsettled=0
      page:2 marks=refused problem=400,no unsettled=0
      giveUp 0s page:1 shown= stored=1 dropped=10absent,10absent`,
    'for one of several students is still saved for the other students':
      'delete:11 absent:10,11,12 present:12 10s server=10absent,12absent,12present shown=11absent',
    'in a frozen page is not sent again for each student after another page has saved the absence': `
      page:2 page:1 delete:11 absent:10,11 freeze recover 40s 0s server=10,11absent
      page:2 marks=done page:1 wake 10s server=10,11absent shown=`,
    'for one of several students is unsure for each student, if an earlier attempt may have been saved':
      'answerLost absent:10,11 0s delete:10,11 10s shown=10absent,11absent marks=unsure,unsure',
    'for one of several students is still listed before later absences':
      'arrives requestLost delete:11 absent:10,11 present:10 0s shown=10absent,11absent,10present',
  });
});

describe('Absence that may have been saved', () => {
  itPlays({
    'is unsure after 20 hours and not resent automatically; a random pick is resent': `
      answerLost turnedAway answerLost absent:10 pick:11 700ms clock:20h clock:10ms forgetKeys
      pageAfterCrash 60s server=10absent,11picked marks=unsure unsettled=0
      sendAgain 10s server=10absent,11picked,10absent shown=`,
    'is not sent again while a later absence of the same student waits': `
      answerLost absent:10 0s delete:10 500ms recover present:10 0s awaited=true,false
      sendAgain 10s server=10absent marks=unsure,sending giveUp 0s server=10absent,10present`,
  });
});

describe('Absences of several pages', () => {
  it('are sent in the order in which they were entered, even when the clock is set back', () =>
    // The second page has not read the marks yet.
    play('page:2 page:1 absent:11 late:10 clock:-1s page:2 absent:10 0s server=11absent,10late,10absent'));

  it('are sent once each and in order for each student, despite losses, closed and frozen pages', async () => {
    const where = fc.constantFrom(0 as const, 1 as const);
    const act = fc.oneof(
      fc.record({ do: fc.constant('say' as const), page: where, id: fc.integer({ min: 10, max: 12 }) }),
      fc.record({ do: fc.constant('pass' as const), ms: fc.constantFrom(0, 400, 5_000, 40_000) }),
      fc.record({ do: fc.constantFrom('reopen' as const, 'crash' as const, 'freeze' as const), page: where }),
    );
    const network = fc.array(fc.constantFrom(...networkOutcomes));
    await fc.assert(
      fc.asyncProperty(network, fc.array(act, { maxLength: 25 }), async (met, acts) => {
        const world = new OutboxWorld();
        world.network = [...met];
        const pages: [WorldPage, WorldPage] = [world.open(), world.open()];
        const said: string[] = [];
        for (const one of acts) {
          if (one.do === 'pass') await world.pass(one.ms);
          else if (one.do === 'say') {
            const mark = attendanceEntry([one.id], said.length % 2 ? 'late' : 'absent');
            said.push(describeMark(mark));
            pages[one.page].outbox.add(mark);
          } else {
            const page = pages[one.page];
            if (one.do === 'freeze') page.state = 'frozen';
            else if (one.do === 'crash') page.state = 'gone';
            else world.close(page);
            pages[one.page] = world.open();
          }
        }
        world.network = [];
        for (const page of world.pages) if (page.state === 'frozen') world.resume(page);
        for (let minutes = 0; minutes < 4; minutes++) await world.pass(60_000);
        for (const id of [10, 11, 12]) {
          const of = (all: readonly string[]) => all.filter((text) => text.startsWith(`${id} `));
          expect(of(world.marks)).toEqual(of(said));
        }
        expect(pages.map(({ outbox }) => outbox.marks)).toEqual([[], []]);
      }),
      { numRuns: 150 },
    );
  });
});
