import type { Template } from '@classledger/contract';
import { describe, expect, it } from 'vitest';
import { openStaffedSchool } from '../../../test/administrators.ts';
import type { AdminClient } from '../../../test/identities.ts';

const { test, admin, school, staff } = await openStaffedSchool();
/** The class of the class administrator, and its neighbour in the grade. */
const [own, nextDoor] = school.grades[0].classes.map((found) => found.id) as [number, number];

let made = 0;
const create = (by: AdminClient, body: object = {}) =>
  by.post('/scores/templates', {
    schoolDb: school.schoolDb,
    name: `Template ${++made}`,
    scoreChange: 2,
    ...body,
  });
const createdBy = async (by: AdminClient, body: object = {}): Promise<Template> => {
  const answer = await create(by, body);
  expect(answer).toMatchObject({ status: 200, success: true });
  return answer.data as Template;
};
const path = (id: number) => `/scores/templates/${id}?schoolDb=${school.schoolDb}`;
const list = (by: AdminClient, query = '') =>
  by.get(`/scores/templates?schoolDb=${school.schoolDb}&${query}`);
const idsOf = (answer: { data: unknown }) => (answer.data as Template[]).map((template) => template.id);
const statusesOf = async (answers: readonly Promise<{ status: number }>[]) =>
  (await Promise.all(answers)).map((answer) => answer.status);

describe('Score templates in the internal API', () => {
  it('are created with every field, and listed oldest first with the total', async () => {
    const template = await createdBy(staff.ofSchool, { name: ' Tidy desk ', description: 'every Friday' });
    const at = test.clock.now().toISOString();
    expect(template).toEqual({
      id: expect.any(Number),
      classId: null,
      global: true,
      name: 'Tidy desk',
      scoreChange: 2,
      description: 'every Friday',
      createdAt: at,
      updatedAt: at,
    });
    const listed = await list(staff.ofSchool);
    expect((listed.data as Template[]).at(-1)).toEqual(template);
    expect(idsOf(listed)).toEqual(idsOf(listed).toSorted((a, b) => a - b));
    expect(listed.headers['x-total-count']).toBe(String(idsOf(listed).length));
    await createdBy(staff.ofSchool);
    const second = await list(staff.ofSchool, 'limit=1&page=2');
    expect(idsOf(second)).toHaveLength(1);
    expect(Number(second.headers['x-total-count'])).toBe(idsOf(listed).length + 1);
  });

  it('of the whole school are visible to all, and changed by school administrators', async () => {
    const wide = await createdBy(admin);
    for (const by of [staff.ofGrade, staff.ofClass]) expect(idsOf(await list(by))).toContain(wide.id);
    const changed = await staff.ofSchool.patch(path(wide.id), { scoreChange: -3, description: 'changed' });
    expect(changed.data).toMatchObject({ ...wide, scoreChange: -3, description: 'changed' });
    expect((await staff.ofSchool.delete(path(wide.id))).data).toEqual({ id: wide.id, name: wide.name });
    expect((await staff.ofSchool.delete(path(wide.id))).status).toBe(404);
  });

  it('can be listed for one class', async () => {
    const [wide, ofOwn, ofNextDoor] = [
      await createdBy(staff.ofSchool),
      await createdBy(staff.ofSchool, { classId: own }),
      await createdBy(staff.ofSchool, { classId: nextDoor }),
    ];
    const all = await list(staff.ofGrade);
    const narrowed = await list(staff.ofGrade, `classId=${own}`);
    const expected = (all.data as Template[]).filter(({ classId }) => classId === null || classId === own);
    expect(narrowed.data).toEqual(expected);
    expect(narrowed.headers['x-total-count']).toBe(String(expected.length));
    expect(idsOf(narrowed)).toEqual(expect.arrayContaining([wide.id, ofOwn.id]));
    expect(idsOf(all)).toContain(ofNextDoor.id);
    expect(idsOf(narrowed)).not.toContain(ofNextDoor.id);
  });

  it('need a name that is unique among those of the school or class, otherwise 409', async () => {
    await createdBy(staff.ofSchool, { name: 'Same' });
    expect((await create(admin, { name: ' Same ' })).status).toBe(409);
    const inClass = await createdBy(staff.ofClass, { name: 'Same', classId: own });
    expect((await create(staff.ofClass, { name: 'Same', classId: own })).status).toBe(409);
    const second = await createdBy(staff.ofClass, { classId: own });
    expect(await staff.ofClass.patch(path(second.id), { name: 'Same' })).toMatchObject({
      status: 409,
      message: expect.stringContaining(inClass.name),
    });
  });

  it.each([
    [{ name: '' }, /name/],
    [{ name: 'x'.repeat(101) }, /name/],
    [{ scoreChange: 0 }, /scoreChange must not be 0/],
    [{ scoreChange: 10_001 }, /scoreChange/],
    [{ scoreChange: undefined }, /scoreChange is required/],
    [{ class_id: 1 }, /"class_id" is not a field/],
  ])('reject %j with 400 and a reason', async (body, message) => {
    const answer = await create(staff.ofSchool, body);
    expect(answer).toMatchObject({ status: 400, success: false, data: null });
    expect(answer.message).toMatch(message);
  });

  it('reject an empty change and another owner with 400', async () => {
    const template = await createdBy(staff.ofSchool);
    const changes = [{}, { classId: own }].map((body) => staff.ofSchool.patch(path(template.id), body));
    expect(await statusesOf(changes)).toEqual([400, 400]);
  });
});
