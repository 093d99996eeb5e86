import type { Template } from '@classledger/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import { openSchool } from '../../../test/test-app.ts';

const { test, school, office, gradeHead, teacher } = await openSchool();
const [classId, nextDoor] = school.grades[0].classes.map((found) => found.id) as [number, number];
const outside = school.grades[1].classes[0].id;

describe('Score templates in the external API', () => {
  let counter = 0;
  let name: string;

  beforeEach(() => {
    name = `Template ${++counter}`;
    test.clock.advance(1_000);
  });

  async function make(body: object = {}, by = office): Promise<Template> {
    const answer = await by.post('/templates', { name, scoreChange: 2, ...body });
    expect(answer).toMatchObject({ status: 200, code: 0 });
    return answer.data as Template;
  }
  async function list(by = office): Promise<Template[]> {
    const { data } = await by.get('/templates?limit=100');
    const { list: entries, total } = data as { list: Template[]; total: number };
    expect(entries).toHaveLength(total);
    return entries;
  }
  const stored = async (id: number) => (await list()).find((template) => template.id === id);

  it('are created for a class or the school, with every field', async () => {
    const now = test.clock.now().toISOString();
    const own = await make({ classId, description: ' as it is ', name: ` ${name} ` });
    expect(own).toEqual({
      id: expect.any(Number),
      classId,
      global: false,
      name,
      scoreChange: 2,
      description: ' as it is ',
      createdAt: now,
      updatedAt: now,
    });
    const wide = await make();
    expect(wide).toMatchObject({ classId: null, global: true, description: '' });
    expect(await stored(own.id)).toEqual(own);
    expect(await stored(wide.id)).toEqual(wide);
  });

  it('accept whole points from -10000 to 10000, except zero', async () => {
    for (const [i, scoreChange] of [10_000, -10_000, 1, -1].entries()) {
      expect(await make({ scoreChange, name: `${name}.${i}` })).toMatchObject({ scoreChange });
    }
    const { id } = await make();
    for (const scoreChange of [0, 10_001, -10_001, 0.5, '2', true]) {
      const made = await office.post('/templates', { name: `${name} bad`, scoreChange });
      const changed = await office.patch(`/templates/${id}`, { scoreChange });
      expect([scoreChange, made.code, changed.code]).toEqual([scoreChange, 40002, 40002]);
    }
    const zero = `{"name":"${name} bad","scoreChange":-0}`;
    expect((await office.post('/templates', zero)).code).toBe(40002);
    expect(await stored(id)).toMatchObject({ scoreChange: 2 });
  });

  it('need name and points (40001) and texts within their limits (40002)', async () => {
    for (const [body, code] of [
      [{ name }, 40001],
      [{ scoreChange: 1 }, 40001],
      [{ name: ' ', scoreChange: 1 }, 40002],
      [{ name: 'x'.repeat(101), scoreChange: 1 }, 40002],
      [{ name, scoreChange: 1, description: 'x'.repeat(501) }, 40002],
      [{ name, scoreChange: 1, classId: 'x' }, 40002],
      [{ name, scoreChange: 1, global: true }, 40002],
    ] as const) {
      expect([body, (await office.post('/templates', body)).code]).toEqual([body, code]);
    }
    const name100 = '模'.repeat(100 - String(counter).length) + counter;
    const long = await make({ name: name100, description: '🙂'.repeat(500) });
    expect(long).toMatchObject({ name: name100, description: '🙂'.repeat(500) });
  });

  it('of the whole school need a school credential, otherwise 40303', async () => {
    const { id } = await make();
    for (const credential of [gradeHead, teacher]) {
      for (const answer of [
        await credential.post('/templates', { name: `${name} too`, scoreChange: 1 }),
        await credential.patch(`/templates/${id}`, { scoreChange: 1 }),
        await credential.delete(`/templates/${id}`),
      ]) {
        expect(answer).toMatchObject({ status: 403, code: 40303, data: null });
      }
    }
    expect(await stored(id)).toMatchObject({ scoreChange: 2 });
  });

  it('of a class can be changed by every credential that covers the class', async () => {
    for (const [credential, place] of [
      [office, outside],
      [gradeHead, nextDoor],
      [teacher, classId],
    ] as const) {
      const { id } = await make({ classId: place }, credential);
      expect((await credential.patch(`/templates/${id}`, { scoreChange: 5 })).code).toBe(0);
      expect((await credential.delete(`/templates/${id}`)).data).toEqual({ id, name });
    }
    for (const [credential, place] of [
      [gradeHead, outside],
      [teacher, nextDoor],
    ] as const) {
      const answer = await credential.post('/templates', { name, scoreChange: 1, classId: place });
      expect(answer).toMatchObject({ status: 403, code: 40303, data: null });
    }
  });

  it('need a name that is unique among those of the school or class, otherwise 40901', async () => {
    const wide = await make();
    const own = await make({ classId });
    await make({ classId: nextDoor });
    const other = await make({ name: `${name} too`, classId });
    for (const answer of [
      await office.post('/templates', { name: ` ${name} `, scoreChange: 1 }),
      await office.post('/templates', { name, scoreChange: 1, classId }),
      await office.patch(`/templates/${other.id}`, { name, scoreChange: 9 }),
    ]) {
      expect(answer).toMatchObject({ status: 409, code: 40901, data: null });
    }
    expect(await stored(other.id)).toEqual(other);
    expect((await office.patch(`/templates/${own.id}`, { name })).code).toBe(0);
    await office.delete(`/templates/${wide.id}`);
    expect((await make()).id).not.toBe(wide.id);
  });

  it('change field by field, with a new updatedAt', async () => {
    const template = await make({ classId, description: 'first' });
    let expected: Template = template;
    for (const change of [{ name: `${name}, new` }, { scoreChange: -4 }, { description: '' }]) {
      test.clock.advance(1_000);
      const answer = await office.patch(`/templates/${template.id}`, change);
      expected = { ...expected, ...change, updatedAt: test.clock.now().toISOString() };
      expect(answer.data).toEqual(expected);
      expect(await stored(template.id)).toEqual(expected);
    }
  });

  it('cannot change their owner, because classId is read-only in a change', async () => {
    const template = await make({ classId });
    for (const body of [
      { classId: nextDoor },
      { classId: null },
      { scoreChange: 1, classId: nextDoor },
      { global: true },
    ]) {
      const answer = await office.patch(`/templates/${template.id}`, body);
      expect(answer).toMatchObject({ status: 400, code: 40002, data: null });
    }
    expect(await office.patch(`/templates/${template.id}`, {})).toMatchObject({ status: 400, code: 40001 });
    expect(await stored(template.id)).toEqual(template);
  });

  it('are deleted without confirmation, and a repetition answers 40401', async () => {
    const { id } = await make();
    expect((await office.delete(`/templates/${id}`)).data).toEqual({ id, name });
    expect(await stored(id)).toBeUndefined();
    expect((await office.delete(`/templates/${id}`)).code).toBe(40401);
    expect((await office.patch(`/templates/${id}`, { scoreChange: 1 })).code).toBe(40401);
  });

  it('are listed by id: those of the school and of the classes in the range', async () => {
    await make();
    for (const place of [classId, nextDoor, outside]) await make({ classId: place });
    const all = await list();
    expect(all).toEqual([...all].sort((a, b) => a.id - b.id));
    const of = (...owners: (number | null)[]) => all.filter((template) => owners.includes(template.classId));
    expect(await list(gradeHead)).toEqual(of(null, classId, nextDoor));
    expect(await list(teacher)).toEqual(of(null, classId));
    expect(of(null, classId).length).toBeLessThan(of(null, classId, nextDoor).length);

    const read: Template[] = [];
    for (let page = 1; read.length < all.length; page++) {
      const { data } = await office.get(`/templates?limit=2&page=${page}`);
      expect(data).toMatchObject({ total: all.length, page, limit: 2 });
      read.push(...(data as { list: Template[] }).list);
    }
    expect(read).toEqual(all);
  });

  it('of a class are deleted with the class, others stay', async () => {
    const gradeId = school.grades[1].id;
    const { id: doomed } = (await office.post('/classes', { name, gradeId })).data as { id: number };
    const own = await make({ classId: doomed });
    const wide = await make();
    await office.delete(`/classes/${doomed}?confirm=true`);
    expect(await stored(own.id)).toBeUndefined();
    expect(await stored(wide.id)).toEqual(wide);
    expect((await office.post('/templates', { name, scoreChange: 1, classId: doomed })).code).toBe(40303);
  });
});
