import { operations } from 'virtual:contract';
import { expect, it } from 'vitest';
import type { OperationId } from './operation-types.ts';
import { staleReadsOf } from './stale-reads.ts';

const ofClass = ['listScoreTemplates', 'listSeats', 'listTerms', 'listUsers', 'listSchoolGrades'] as const;

it.each<[write: OperationId, stale: readonly OperationId[], fresh: readonly OperationId[]]>([
  ['updateSchoolClass', ['listDayTotals'], []],
  ['deleteSchoolClass', ['listDayTotals', ...ofClass], []],
  ['deleteSchoolGrade', ['listDayTotals'], []],
  ['updateUser', ['listDayTotals'], []],
  ['addScores', ['listDayTotals'], []],
  ['addScore', [], ['listActivity']],
  ['updateSchool', ['listSchools', 'listAdministrators'], []],
  ['updateAdministrator', ['listCredentials'], []],
  // The list shows who has a shared or unused password.
  ['resetUserPassword', ['listActivity', 'listUsers'], []],
  // A deleted thing is not read again, but its lists are.
  ['deleteUser', ['listUsers'], ['getUser']],
  ['revokeScoreLog', ['getUser'], []],
  ['endOtherSessions', ['listSessions'], []],
])('after %s, pages read %j again, but not %j', (write, stale, fresh) => {
  const read = staleReadsOf(write);
  expect(read).toEqual(expect.arrayContaining([...stale]));
  expect(read.filter((id) => fresh.includes(id))).toEqual([]);
});

it('after a template is changed, pages read only templates and the log again', () => {
  // Simulations show answers of all that an app may read, including templates, so each write makes them outdated.
  const read = staleReadsOf('updateScoreTemplate').filter((id) => !id.startsWith('simulate'));
  expect(read).toEqual(['listScoreTemplates', 'listActivity']);
});

it('the writes of visitors and students make no read of theirs outdated', () => {
  const theirs = (Object.keys(operations) as OperationId[]).filter((id) => operations[id][2] !== 'admin');
  const writes = theirs.filter((id) => operations[id][0] !== 'GET');
  expect(writes.length).toBeGreaterThan(3);
  expect(writes.flatMap(staleReadsOf).filter((id) => theirs.includes(id))).toEqual([]);
});
