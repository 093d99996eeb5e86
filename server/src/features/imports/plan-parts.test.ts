import { describe, expect, it } from 'vitest';
import { openSchool } from '../../../test/test-app.ts';
import { SchoolData } from '../../access/school-data.ts';
import { planParts } from './plan-parts.ts';

const { test, admin, school } = await openSchool();
const data = new SchoolData(test.database.db, { schoolId: school.id, gradeId: null, classId: null });
const classId = school.grades[0].classes[0].id;

describe('Parts of an import', () => {
  it('parts of an import hold at most the given number of entries, in their order', async () => {
    const entries = Array.from({ length: 7 }, (_, n) => ({ username: `new${n}` }));
    expect(await planParts(data, entries, 3)).toEqual({ parts: [[0, 1, 2], [3, 4, 5], [6]], rejected: [] });
  });

  it('entries that exchange a username or number are in one part, also through students between them', async () => {
    for (const n of [1, 2, 3, 4]) {
      const numbers = { username: `old${n}`, externalId: `ext${n}`, cardNumber: `card${n}` };
      await admin.created('/users', {
        ...{ schoolDb: school.schoolDb, classId, password: 'secret-password' },
        ...numbers,
      });
    }
    const entries = [
      { externalId: 'ext1', cardNumber: 'card2' },
      { username: 'alone1' },
      { username: 'old2', cardNumber: 'card3' },
      { username: 'alone2' },
      { externalId: 'ext3', username: 'old1' },
      // The same student twice.
      { username: 'old4' },
      { externalId: 'ext4' },
    ];
    expect(await planParts(data, entries, 2)).toEqual({
      parts: [
        [0, 2, 4],
        [1, 3],
        [5, 6],
      ],
      rejected: [],
    });
  });

  it('entries beyond 1,000 that all depend on the next entry are left out', async () => {
    const chain = (length: number) =>
      Array.from({ length }, (_, n) => ({
        ...{ externalId: `e${Math.ceil(n / 2)}`, username: `u${Math.floor(n / 2)}` },
      }));
    const [most, tooMany] = [chain(1_000), chain(20_000)];
    expect(await planParts(data, most)).toEqual({ parts: [[...most.keys()]], rejected: [] });
    const alone = { username: 'alone' };
    expect(await planParts(data, [...tooMany, alone])).toEqual({
      parts: [[20_000]],
      rejected: [...tooMany.keys()],
    });
  });
});
