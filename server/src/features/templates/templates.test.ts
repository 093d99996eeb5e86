import type { Template } from '@classledger/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import { createStaff } from '../../../test/administrators.ts';
import type { AdminClient } from '../../../test/identities.ts';
import { openSchool } from '../../../test/test-app.ts';

const { test, school, office } = await openSchool();
const staff = await createStaff(test, school);
const { schoolDb } = school;
/** The class of the class administrator, its neighbour in the grade, and one of another grade. */
const [classId, nextDoor] = school.grades[0].classes.map((found) => found.id) as [number, number];
const outside = school.grades[1].classes[0].id;

let counter = 0;
let name: string;
beforeEach(() => {
  name = `Template ${++counter}`;
  test.clock.advance(1_000);
});

async function make(body: object = {}): Promise<Template> {
  const answer = await office.post('/templates', { name, scoreChange: 2, ...body });
  expect(answer).toMatchObject({ status: 200, code: 0 });
  return answer.data as Template;
}
async function list(): Promise<Template[]> {
  const { data } = await office.get('/templates?limit=100');
  const { list: entries, total } = data as { list: Template[]; total: number };
  expect(entries).toHaveLength(total);
  return entries;
}
const stored = async (id: number) => (await list()).find((template) => template.id === id);
async function listInside(by: AdminClient, query = '') {
  const answer = await by.get(`/scores/templates?schoolDb=${schoolDb}${query}`);
  return { templates: answer.data as Template[], total: Number(answer.headers['x-total-count']) };
}

describe('Templates', () => {
  it('a template is created for a class or the school, with every field, in both APIs', async () => {
    const now = test.clock.now().toISOString();
    const template = { id: expect.any(Number), name, scoreChange: 2, createdAt: now, updatedAt: now };
    const own = await make({ classId, description: ' as it is ', name: ` ${name} ` });
    expect(own).toEqual({ ...template, classId, global: false, description: ' as it is ' });
    const wide = await make();
    expect(wide).toEqual({ ...template, classId: null, global: true, description: '' });
    expect(await stored(own.id)).toEqual(own);
    const body = { schoolDb, name: ` ${name} `, scoreChange: 2, classId: nextDoor };
    const inside = await staff.ofSchool.created<Template>('/scores/templates', body);
    expect(inside).toEqual({ ...template, classId: nextDoor, global: false, description: '' });
    expect(await stored(inside.id)).toEqual(inside);
  });

  it('a template’s name is unique among the templates of the school or class, otherwise 40901', async () => {
    const wide = await make();
    const own = await make({ classId });
    await make({ classId: nextDoor });
    const other = await make({ name: `${name} too`, classId });
    const taken = { status: 409, code: 40901, message: expect.stringContaining(name), data: null };
    expect(await office.post('/templates', { name: ` ${name} `, scoreChange: 1 })).toMatchObject(taken);
    expect(await office.post('/templates', { name, scoreChange: 1, classId })).toMatchObject(taken);
    expect(await office.patch(`/templates/${other.id}`, { name, scoreChange: 9 })).toMatchObject(taken);
    expect(await stored(other.id)).toEqual(other);
    expect((await office.patch(`/templates/${own.id}`, { name })).code).toBe(0);
    await office.delete(`/templates/${wide.id}`);
    expect((await make()).id).not.toBe(wide.id);
  });

  it('templates of the school and of the classes in the range are listed by id and page by page', async () => {
    await make();
    for (const place of [classId, nextDoor, outside]) await make({ classId: place });
    const all = await list();
    expect(all).toEqual([...all].sort((a, b) => a.id - b.id));
    const of = (...owners: (number | null)[]) => all.filter((template) => owners.includes(template.classId));
    expect(of(null, classId).length).toBeLessThan(of(null, classId, nextDoor).length);
    const { data } = await office.get('/templates?limit=2&page=2');
    expect(data).toEqual({ list: all.slice(2, 4), total: all.length, page: 2, limit: 2 });

    for (const [by, query, templates] of [
      [staff.ofSchool, '', all],
      [staff.ofGrade, '', of(null, classId, nextDoor)],
      [staff.ofGrade, `&classId=${classId}`, of(null, classId)],
      [staff.ofClass, '', of(null, classId)],
    ] as const) {
      expect(await listInside(by, query)).toEqual({ templates, total: templates.length });
    }
    const page = await listInside(staff.ofSchool, '&limit=1&page=2');
    expect(page).toEqual({ templates: all.slice(1, 2), total: all.length });
  });

  it.each(['class', 'grade'])(
    'templates of a class are deleted with the %s, and others stay',
    async (deleted) => {
      const grade = (await office.post('/grades', { name })).data as { id: number };
      const place = (await office.post('/classes', { name, gradeId: grade.id })).data as { id: number };
      const own = await make({ classId: place.id });
      const wide = await make();
      const path = deleted === 'class' ? `/classes/${place.id}` : `/grades/${grade.id}`;
      expect((await office.delete(`${path}?confirm=true`)).code).toBe(0);
      expect(await stored(own.id)).toBeUndefined();
      expect(await stored(wide.id)).toEqual(wide);
    },
  );
});
