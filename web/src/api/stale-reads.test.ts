import { operations } from 'virtual:contract';
import { describe, expect, it } from 'vitest';
import type { OperationId } from './operation-types.ts';
import { staleReadsOf } from './stale-reads.ts';

describe('staleReadsOf', () => {
  it.each([
    'updateSchoolClass',
    'deleteSchoolClass',
    'deleteSchoolGrade',
    'updateUser',
    'addScores',
  ] as const)('includes the daily totals after %s', (write) =>
    expect(staleReadsOf(write)).toContain('listDayTotals'),
  );

  it('includes the administrators after a school is renamed', () => {
    expect(staleReadsOf('updateSchool')).toEqual(
      expect.arrayContaining(['listSchools', 'listAdministrators']),
    );
  });

  it('includes templates, seats and terms after a class is deleted', () => {
    const gone = ['listScoreTemplates', 'listSeats', 'listTerms', 'listUsers', 'listSchoolGrades'];
    expect(staleReadsOf('deleteSchoolClass')).toEqual(expect.arrayContaining(gone));
  });

  it('includes credentials after an administrator is changed', () => {
    expect(staleReadsOf('updateAdministrator')).toContain('listCredentials');
  });

  it('includes the activity log after a logged change', () => {
    expect(staleReadsOf('resetUserPassword')).toContain('listActivity');
    // The list shows who has a shared or unused password.
    expect(staleReadsOf('resetUserPassword')).toContain('listUsers');
    expect(staleReadsOf('addScore')).not.toContain('listActivity');
  });

  it('excludes the deleted object itself, but includes its lists', () => {
    expect(staleReadsOf('deleteUser')).toContain('listUsers');
    expect(staleReadsOf('deleteUser')).not.toContain('getUser');
    expect(staleReadsOf('revokeScoreLog')).toContain('getUser');
    // A list still exists after one of its entries was deleted.
    expect(staleReadsOf('endOtherSessions')).toContain('listSessions');
  });

  it('includes only templates and the log after a template is changed', () => {
    // Simulations show answers of all that an app may read, including templates, so each write makes them outdated.
    expect(staleReadsOf('updateScoreTemplate').filter((id) => !id.startsWith('simulate'))).toEqual([
      'listScoreTemplates',
      'listActivity',
    ]);
  });

  it('includes no read of visitors and students', () => {
    const theirs = (Object.keys(operations) as OperationId[]).filter((id) => operations[id][2] !== 'admin');
    const writes = theirs.filter((id) => operations[id][0] !== 'GET');
    expect(writes.length).toBeGreaterThan(3);
    expect(writes.flatMap(staleReadsOf).filter((id) => theirs.includes(id))).toEqual([]);
  });
});
