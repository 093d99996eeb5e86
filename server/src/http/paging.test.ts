import { type ExternalOperation, externalOperations } from '@classledger/contract';
import { describe, expect, it } from 'vitest';
import { openSchool } from '../../test/test-app.ts';

const lists = Object.values<ExternalOperation>(externalOperations).filter(({ id }) => id.startsWith('list'));

const { test, school, office } = await openSchool();
for (const { id } of school.grades[0].classes[0].students) {
  test.clock.advance(1_000);
  await office.post('/scores', { userId: id, scoreChange: 1 });
  await office.post('/templates', { name: `Template ${id}`, scoreChange: 1 });
  await office.post('/webhooks', { url: `https://sync.example/${id}`, events: ['student.*'] });
}

describe('Order of a list of the external API', () => {
  const idsOf = async (path: string, query: string) => {
    const { data } = await office.get(`${path}?limit=100${query}`);
    return (data as { list: { id: number }[] }).list.map(({ id }) => id);
  };

  it.each(lists)('`order` reverses the list of $path, page by page too', async ({ path }) => {
    const ascending = await idsOf(path, '&order=asc');
    expect(ascending.length).toBeGreaterThan(1);
    expect(ascending).toEqual(ascending.toSorted((a, b) => a - b));
    expect(await idsOf(path, '&order=desc')).toEqual(ascending.toReversed());
    expect(await idsOf(path, '')).toEqual(path === '/scores' ? ascending.toReversed() : ascending);
    const { data } = await office.get(`${path}?limit=1&page=2&order=desc`);
    expect(data).toMatchObject({ list: [{ id: ascending.at(-2) }], total: ascending.length });
  });

  it.each(lists)('$path takes only asc and desc as order, in upper or lower case', async ({ path }) => {
    expect((await office.get(`${path}?order=ASC`)).data).toEqual(
      (await office.get(`${path}?order=asc`)).data,
    );
    for (const order of ['x', 'asc,desc', 'descending']) {
      expect((await office.get(`${path}?order=${order}`)).code).toBe(40002);
    }
  });
});
