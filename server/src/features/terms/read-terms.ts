import { Standing, Term } from '@classledger/contract';
import { sql } from 'kysely';
import type { SchoolData } from '../../access/school-data.ts';
import { requireVisible } from '../../access/targets.ts';
import { rankBy } from '../../database/expressions.ts';
import { ListResult, type Order, type PagePosition, readPage, type Slice } from '../../database/page.ts';
import { columnsOf } from '../../fields/fields.ts';

const fields = [
  ...columnsOf('m', Term, ['closedBy', 'students', 'records']),
  ...(['m.student_count as students', 'm.record_count as records'] as const),
  ...(['m.closed_by_id as closerId', 'm.closed_by_username as closerUsername'] as const),
];

type TermRow = Omit<Term, 'closedBy'> & { readonly closerId: number; readonly closerUsername: string };

const toTerm = ({ closerId, closerUsername, ...term }: TermRow): Term => ({
  ...term,
  closedBy: { id: closerId, username: closerUsername },
});

interface TermFilter {
  readonly classId?: number | undefined;
}

function selectTerms(data: SchoolData, { classId }: TermFilter) {
  const terms = data.terms().select(fields);
  return classId === undefined ? terms : terms.where('m.class_id', '=', classId);
}

export async function listTerms(
  data: SchoolData,
  filter: TermFilter,
  slice: Slice,
): Promise<ListResult<Term>> {
  const terms = selectTerms(data, filter).orderBy('m.closed_at', 'desc').orderBy('m.id', 'desc');
  return (await readPage(terms, slice, 'm.id')).map(toTerm);
}

export function listTermsById(
  data: SchoolData,
  { order = 'asc', ...filter }: TermFilter & { readonly order?: Order | undefined },
  slice: Slice,
) {
  return readPage(selectTerms(data, filter).orderBy('m.id', order), slice, 'm.id', { order });
}

const totalScore = sql<number>`kept.add_score + kept.deduct_score`;

/** Requires the range of the whole school for the term of a deleted class. @throws AppError not_found, out_of_range */
export async function readTerm(data: SchoolData, id: number): Promise<Term & { standings: Standing[] }> {
  const find = (own: SchoolData) => own.terms().where('m.id', '=', id).select(fields);
  const term = await requireVisible(data, find, 'The term');
  const standings = await data
    .terms()
    .where('m.id', '=', id)
    .innerJoin('term_standing as kept', (join) =>
      join.onRef('kept.school_id', '=', 'm.school_id').onRef('kept.term_id', '=', 'm.id'),
    )
    .select([
      rankBy(totalScore).as('rank'),
      totalScore.as('totalScore'),
      'kept.student_id as userId',
      ...columnsOf('kept', Standing, ['rank', 'totalScore', 'userId']),
    ])
    .orderBy('totalScore', 'desc')
    .orderBy('kept.student_id')
    .execute();
  return { ...toTerm(term), standings };
}

/** Lists the standings of a term, best first. @throws AppError not_found, out_of_range */
export async function listStandings(
  data: SchoolData,
  termId: number,
  { offset, limit, after }: Slice & { readonly limit: number },
) {
  const { standings } = await readTerm(data, termId);
  const isBehind = ({ totalScore, userId }: Standing, { value, id }: PagePosition) =>
    totalScore < Number(value) || (totalScore === value && userId > id);
  const left = after ? standings.filter((standing) => isBehind(standing, after)) : standings.slice(offset);
  const page = left.slice(0, limit).map((standing) => ({ ...standing, id: standing.userId }));
  return new ListResult(page, standings.length);
}

/** Returns SQL: a term begins when the last one closed, or with its class. @param condition $1 is the school */
export const termStarts = (condition: string) => `
    SELECT id AS "classId", coalesce(
      (SELECT max(m.closed_at) FROM term m WHERE m.school_id = $1 AND m.class_id = class.id), created_at
    ) AS "startedAt"
    FROM class WHERE ${condition}`;
