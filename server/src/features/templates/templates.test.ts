import type { Template } from '@classledger/contract';
import { beforeEach, expect, it } from 'vitest';
import { createStaff } from '../../../test/administrators.ts';
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

const make = (body: object = {}) => office.created<Template>('/templates', { name, scoreChange: 2, ...body });
const list = () => office.readAll<Template>('/templates');
const stored = async (id: number) => (await list()).find((template) => template.id === id);

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
  const second = { list: all.slice(2, 4), total: all.length, page: 2, limit: 2 };
  expect(await office.read('/templates?limit=2&page=2')).toEqual(second);

  for (const [by, query, templates, total = templates.length] of [
    [staff.ofSchool, '', all],
    [staff.ofGrade, '', of(null, classId, nextDoor)],
    [staff.ofGrade, `&classId=${classId}`, of(null, classId)],
    [staff.ofClass, '', of(null, classId)],
    [staff.ofSchool, '&limit=1&page=2', all.slice(1, 2), all.length],
  ] as const) {
    const { data, headers } = await by.get(`/scores/templates?schoolDb=${schoolDb}${query}`);
    expect([data, headers['x-total-count']]).toEqual([templates, String(total)]);
  }
});

it.each(['classes', 'grades'])('templates of a class are deleted with it: DELETE /%s', async (kind) => {
  const grade = await office.created<{ id: number }>('/grades', { name });
  const place = await office.created<{ id: number }>('/classes', { name, gradeId: grade.id });
  const own = await make({ classId: place.id });
  const wide = await make();
  const { id } = kind === 'classes' ? place : grade;
  expect((await office.delete(`/${kind}/${id}?confirm=true`)).code).toBe(0);
  expect(await stored(own.id)).toBeUndefined();
  expect(await stored(wide.id)).toEqual(wide);
});
