import { operations } from 'virtual:contract';
import { describe, expect, it } from 'vitest';
import type { OperationId } from './operation-types.ts';
import { outdatedBy } from './outdated.ts';

describe('what is out of date', () => {
  it.each([
    'updateSchoolClass',
    'deleteSchoolClass',
    'deleteSchoolGrade',
    'updateUser',
    'addScores',
  ] as const)('after %s includes what the records of each day add up to', (write) =>
    expect(outdatedBy(write)).toContain('listDayTotals'),
  );

  it('after a school was renamed includes the administrators that are shown with its name', () => {
    expect(outdatedBy('updateSchool')).toEqual(expect.arrayContaining(['listSchools', 'listAdministrators']));
  });

  it('after a class was deleted includes its templates, seats and terms', () => {
    const gone = ['listScoreTemplates', 'listSeats', 'listTerms', 'listUsers', 'listSchoolGrades'];
    expect(outdatedBy('deleteSchoolClass')).toEqual(expect.arrayContaining(gone));
  });

  it('after an administrator was disabled includes the credentials that this one issued', () => {
    expect(outdatedBy('updateAdministrator')).toContain('listCredentials');
  });

  it('after a change that is logged includes the log', () => {
    expect(outdatedBy('resetUserPassword')).toContain('listActivity');
    // The list shows who has a shared or unused password.
    expect(outdatedBy('resetUserPassword')).toContain('listUsers');
    expect(outdatedBy('addScore')).not.toContain('listActivity');
  });

  it('after a deletion leaves out what is deleted', () => {
    expect(outdatedBy('deleteUser')).toContain('listUsers');
    expect(outdatedBy('deleteUser')).not.toContain('getUser');
    expect(outdatedBy('revokeScoreLog')).toContain('getUser');
    // A list still exists after one of its entries was deleted.
    expect(outdatedBy('endOtherSessions')).toContain('listSessions');
  });

  it('after a points template was changed is nothing but what shows templates, and the log', () => {
    // Simulations show answers of all that an app may read, templates included, so each write makes them stale.
    expect(outdatedBy('updateScoreTemplate').filter((id) => !id.startsWith('simulate'))).toEqual([
      'listScoreTemplates',
      'listActivity',
    ]);
  });

  it('is nothing that visitors and students see, so that their pages need not ask', () => {
    const theirs = (Object.keys(operations) as OperationId[]).filter((id) => operations[id][2] !== 'admin');
    const writes = theirs.filter((id) => operations[id][0] !== 'GET');
    expect(writes.length).toBeGreaterThan(3);
    expect(writes.flatMap(outdatedBy).filter((id) => theirs.includes(id))).toEqual([]);
  });
});
