import { expect, it } from 'vitest';
import { LockedRows } from '../../test/locked-rows.ts';
import { openSchool } from '../../test/test-app.ts';

const { test, admin, school, office } = await openSchool();
const { schoolDb } = school;
const [{ id: gradeId, classes }] = school.grades;
const template = await office.created<{ id: number }>('/templates', { name: 'Tidy', scoreChange: 1 });

it.each([
  ['template', '/scores/templates', template.id],
  ['class', '/classes', classes[0].id],
  ['grade', '/grades', gradeId],
])('a renamed %s commits together with its entry in the change feed', async (table, path, id) => {
  const nameOf = async () => {
    const rows = await test.rows(`SELECT name FROM ${table} WHERE id = $1`, id);
    return rows[0].name;
  };
  const before = await nameOf();
  const feed = await LockedRows.selectedBy(test, 'LOCK TABLE change IN SHARE MODE');
  const renamed = admin.patch(`${path}/${id}`, { schoolDb, name: 'Renamed' });
  await feed.waitUntilWaiting(1);
  expect(await nameOf()).toBe(before);
  await feed.release();
  expect(await renamed).toMatchObject({ status: 200, data: { name: 'Renamed' } });
  expect(await nameOf()).toBe('Renamed');
});
