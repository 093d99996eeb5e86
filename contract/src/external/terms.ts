import Type from 'typebox';
import { ClassFilter, Page, paging, sorting, Titled } from '../fields.ts';
import { Standing, Term } from '../internal/records.ts';
import { external } from '../operation.ts';

const { closedBy: _, ...pastTermFields } = Term.properties;
export const PastTerm = Titled('PastTerm', pastTermFields);

export const externalTermOperations = external('Terms', {
  listPastTerms: {
    route: 'GET /terms',
    summary: 'List the past terms of the classes in the range',
    description:
      'A term belongs to one class. `archive` keeps its standings, and `reset` does not. `classId` is null if the class was deleted, and only school credentials see such a term. Ordered by id.',
    permission: 'scores:read',
    query: Type.Object({ ...paging, ...sorting, classId: Type.Optional(ClassFilter) }),
    data: Page(PastTerm),
    examples: {
      data: {
        list: [
          {
            id: 31,
            name: '2026-07-10',
            action: 'archive',
            classId: 12,
            className: 'Class 2',
            startedAt: '2026-02-16T01:00:00.000Z',
            closedAt: '2026-07-10T08:30:00.000Z',
            students: 44,
            records: 5210,
          },
        ],
        total: 1,
        page: 1,
        limit: 20,
      },
    },
  },

  getTermStandings: {
    route: 'GET /terms/:id/standings',
    summary: 'List the final ranking of a past term, best first',
    description:
      'Names and points are those at the end of the term. A term that ended with `reset` has no ranking. Equal totals are sorted by id.',
    permission: 'scores:read',
    target: { term: 'path.id' },
    query: Type.Object({ ...paging }),
    data: Page(Standing),
    examples: {
      data: {
        list: [
          {
            rank: 1,
            userId: 1201,
            username: 'li.wei',
            actualName: '李伟',
            totalScore: 17,
            addScore: 19,
            deductScore: -2,
            scoreCount: 9,
          },
        ],
        total: 1,
        page: 1,
        limit: 20,
      },
    },
  },
});
