import { expect, it } from 'vitest';
import { addTemplates } from './starter-templates.ts';

const wanted = ['A', 'B', 'C'].map((name) => ({ name, scoreChange: 1 }));

it('adding starter templates continues after a failure and adds no template twice', async () => {
  const there: { name: string; classId: number | null }[] = [{ name: 'A', classId: 7 }];
  const progress: number[] = [];
  let broken = true;
  const ports = {
    list: async () => there,
    create: async ({ name }: { name: string }) => {
      if (name === 'C' && broken) throw new Error('no network');
      there.push({ name, classId: null });
      // The answer is lost, but the template was added.
      if (name === 'B' && broken) throw new Error('lost');
    },
  };
  const run = () => addTemplates(wanted, null, (done) => progress.push(done), ports);
  await expect(run()).rejects.toThrow('lost');
  expect(progress).toEqual([0, 1]);
  await expect(run()).rejects.toThrow('no network');
  broken = false;
  await run();
  expect(there.filter(({ classId }) => classId === null).map(({ name }) => name)).toEqual(['A', 'B', 'C']);
  expect(progress.at(-1)).toBe(3);
});
