import { describe, expect, it } from 'vitest';
import type { ExternalAnswer } from './identities.ts';
import { expectOneWinner, RaceSchool, type Sender } from './race-school.ts';

const race = await RaceSchool.open();

const place = (i: number) => race.school.grades[i % 2 === 0 ? 0 : 1].classes[1];

type Round = (sender: Sender) => (i: number) => Promise<ExternalAnswer>;

const creations: Record<string, Round> = {
  username: (sender) => {
    const username = race.newName('same');
    return (i) => sender(i).post('/students', { username, classId: place(i).id, password: 'secret-1' });
  },
  grade: (sender) => {
    const name = race.newName('same');
    return (i) => sender(i).post('/grades', { name });
  },
  'class in a grade': (sender) => {
    const name = race.newName('same');
    return (i) => sender(i).post('/classes', { name, gradeId: race.school.grades[0].id });
  },
  'school-wide template': (sender) => {
    const name = race.newName('same');
    return (i) => sender(i).post('/templates', { name, scoreChange: i + 1 });
  },
  'template of a class': (sender) => {
    const name = race.newName('same');
    return (i) => sender(i).post('/templates', { name, scoreChange: i + 1, classId: place(0).id });
  },
};

describe.each([1, 2] as const)('parallel creations of one name at %i processes', (processes) => {
  it.each(Object.keys(creations))('create one %s and answer 40901 to all others', async (what) => {
    const prepare = creations[what] as Round;
    for (let round = 0; round < 5; round++) {
      const create = prepare(race.sender(processes));
      expectOneWinner(await Promise.all(Array.from({ length: 8 }, (_, i) => create(i))), 40901);
    }
    await race.expectVerifiedLedger();
  });

  it('that rename students give the name to one student and answer 40901 to all others', async () => {
    const sender = race.sender(processes);
    const { students } = race.school.grades[0].classes[0];
    for (let round = 0; round < 5; round++) {
      const username = race.newName('same');
      const renamings = students.map(({ id }, i) => sender(i).patch(`/students/${id}`, { username }));
      expectOneWinner(await Promise.all(renamings), 40901);
    }
  });

  it('in overlapping batches of opposite order create each username once', async () => {
    const sender = race.sender(processes);
    for (let round = 0; round < 2; round++) {
      const batch = Array.from({ length: 5 }, () => ({ username: race.newName('overlap') }));
      const answers = await Promise.all(
        Array.from({ length: 4 }, (_, i) =>
          sender(i).post('/students', {
            classId: place(i).id,
            batch: i % 2 === 0 ? batch : batch.toReversed(),
            defaultPassword: 'secret-password',
          }),
        ),
      );
      const details = answers.flatMap(
        (answer) => (answer.data as { details: { username: string; code: number }[] }).details,
      );
      for (const { username } of batch) {
        const codes = details.filter((detail) => detail.username === username).map((detail) => detail.code);
        expect(codes.toSorted((a, b) => a - b)).toEqual([0, 40901, 40901, 40901]);
      }
    }
    await race.expectVerifiedLedger();
  });
});
