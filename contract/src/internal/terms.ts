import Type from 'typebox';
import { ClassFilter, ClassId, Id, Input, is, Name, OneOf, ScoreCount, ShownName } from '../fields.ts';
import { internal } from '../operation.ts';
import { internalPaging } from './lists.ts';
import { Standing, Term, termActions } from './records.ts';

const tag = 'Terms';
const switchTerms = { tag, access: 'admin', duty: 'switchTerms', school: 'required' } as const;
const term = {
  id: 2,
  name: 'Autumn 2026',
  action: 'archive',
  classId: 12,
  className: 'Class 2',
  startedAt: '2026-08-20T02:11:09.412Z',
  closedAt: '2026-12-20T08:00:00.000Z',
  closedBy: { id: 4, username: 'm.zhao' },
  students: 44,
  records: 4102,
};

export const switchTerm = internal({
  id: 'switchTerm',
  method: 'POST',
  path: '/admin/term-switch',
  ...switchTerms,
  summary: 'End the current term of a class and start the next',
  description:
    '`archive` keeps where each student stood; `reset` discards it. Either way the records stay readable and every total starts again from 0.',
  idempotent: 'open',
  target: { class: 'body.classId' },
  affects: ['term', 'score', 'team'],
  activity: { verb: 'changed', subject: 'class' },
  body: Input({
    classId: ClassId,
    action: is(OneOf(termActions), 'What is done with the term.'),
    name: Type.Optional(Name),
  }),
  data: Type.Object({
    action: is(OneOf(termActions), 'What is done with the term.'),
    classId: ClassId,
    term: is(
      Type.Object({
        id: Id,
        name: ShownName,
        startedAt: Term.properties.startedAt,
        closedAt: Term.properties.closedAt,
      }),
      'The term that was closed.',
    ),
    students: is(Type.Integer({ minimum: 0 }), 'Number of students.'),
    records: ScoreCount,
  }),
  examples: {
    body: { archive: { schoolDb: 'school_7', classId: 12, action: 'archive', name: 'Autumn 2026' } },
    data: {
      action: 'archive',
      classId: 12,
      term: { id: 2, name: 'Autumn 2026', startedAt: term.startedAt, closedAt: term.closedAt },
      students: 44,
      records: 4102,
    },
  },
});

export const listTerms = internal({
  id: 'listTerms',
  method: 'GET',
  path: '/admin/terms',
  ...switchTerms,
  summary: 'List the past terms, newest first',
  shows: ['term', 'class'],
  query: Type.Object({ ...internalPaging, classId: Type.Optional(ClassFilter) }),
  data: Type.Array(Term),
  examples: { data: [term] },
});

export const getTerm = internal({
  id: 'getTerm',
  method: 'GET',
  path: '/admin/terms/:id',
  ...switchTerms,
  summary: 'Read a past term with its final ranking, best first',
  description: 'A term that ended with `reset` has no ranking.',
  target: { term: 'path.id' },
  shows: ['term', 'class'],
  data: Type.Object({ ...Term.properties, standings: is(Type.Array(Standing), 'The final ranking.') }),
  examples: {
    data: {
      ...term,
      standings: [
        {
          rank: 1,
          userId: 1201,
          username: 'li.wei',
          actualName: '李伟',
          totalScore: 311,
          addScore: 330,
          deductScore: -19,
          scoreCount: 140,
        },
      ],
    },
  },
});
