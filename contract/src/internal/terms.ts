import Type from 'typebox';
import { ClassFilter, ClassId, Input, is, Name, OneOf, ScoreCount } from '../fields.ts';
import { dutyInSchool } from '../operation.ts';
import { internalPaging } from './lists.ts';
import { Standing, Term, termActions } from './records.ts';

const switchOperations = dutyInSchool('Terms', 'switchTerms', {
  switchTerm: {
    route: 'POST /admin/term-switch',
    summary: 'End the current term of a class and start the next',
    description:
      '`archive` keeps the final ranking, and `reset` discards it. In both cases, the records stay readable and every total starts at 0.',
    idempotent: 'open',
    target: { class: 'body.classId' },
    affects: ['term', 'score', 'team'],
    activity: { verb: 'changed', subject: 'class' },
    body: Input({
      classId: ClassId,
      action: is(OneOf(termActions), 'The action on the term.'),
      name: Type.Optional(Name),
    }),
    data: Type.Object({
      action: is(OneOf(termActions), 'The action on the term.'),
      classId: ClassId,
      term: is(Type.Pick(Term, ['id', 'name', 'startedAt', 'closedAt']), 'The term that was closed.'),
      students: is(Type.Integer({ minimum: 0 }), 'Number of students.'),
      records: ScoreCount,
    }),
  },
});

const readOperations = dutyInSchool('Terms', 'readTerms', {
  listTerms: {
    route: 'GET /admin/terms',
    summary: 'List the past terms, newest first',
    shows: ['term', 'class'],
    query: Type.Object({ ...internalPaging, classId: Type.Optional(ClassFilter) }),
    data: Type.Array(Term),
  },

  getTerm: {
    route: 'GET /admin/terms/:id',
    summary: 'Read a past term with its final ranking, best first',
    description: 'A term that ended with `reset` has no ranking.',
    target: { term: 'path.id' },
    shows: ['term', 'class'],
    data: Type.Object({ ...Term.properties, standings: is(Type.Array(Standing), 'The final ranking.') }),
  },
});

export const termOperations = { ...switchOperations, ...readOperations };
