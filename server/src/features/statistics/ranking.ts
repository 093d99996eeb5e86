import type { RankedStudent } from '@classledger/contract';
import { sql } from 'kysely';
import type { SchoolData } from '../../access/school-data.ts';
import {
  anyOf,
  compact,
  Listed,
  type Parts,
  partSize,
  partsOf,
  readPage,
  type Slice,
} from '../../database/page.ts';
import { slowly } from '../../database/turns.ts';
import type { PlaceFilter } from './class-sums.ts';
import { firstOfLastDays } from './last-days.ts';

export interface RankingQuestion extends PlaceFilter {
  /** Improvement: how much more the last days brought than as many days before them. */
  readonly by: 'total' | 'recent' | 'improvement';
  /** UTC days, today included. */
  readonly days: number;
}

/** The enabled students of the range, best first; equals share a rank and stand in the order of their ids. */
export async function rankStudents(
  data: SchoolData,
  { by, days, gradeId, classId }: RankingQuestion,
  at: Date,
  slice: Slice,
): Promise<Listed<RankedStudent>> {
  let students = data.students().where('s.disabled', '=', false);
  if (gradeId !== undefined) students = students.where('c.grade_id', '=', gradeId);
  if (classId !== undefined) students = students.where('s.class_id', '=', classId);
  const counted = students.select(sql<number>`count(*)`.as('total'));

  const spans = spansOf(days, at);
  // Of a part of the range only the part's records are worth adding up.
  const isNarrowed = gradeId !== undefined || classId !== undefined;
  const isCostly = classId === undefined && data.range.classId === null;
  const named = students.select([
    's.id',
    's.username',
    's.actual_name as actualName',
    'c.id as classId',
    'c.name as className',
    's.total_score as totalScore',
  ]);
  const sums = isNarrowed
    ? sumsOfAll(data, spans).where('r.student_id', 'in', students.select('s.id')).as('sums')
    : sumsOfAll(data, spans).as('sums');

  if (slice.limit === null) {
    const total = (await counted.execute())[0]?.total ?? 0;
    if (total > partSize) {
      const placed = students
        .leftJoin(sums, (join) => join.onRef('sums.student_id', '=', 's.id'))
        .select([
          's.id',
          recentScore.as('recentScore'),
          previousScore.as('previousScore'),
          sql<number>`rank() OVER (ORDER BY ${merits[by]} DESC)::int`.as('rank'),
        ])
        .orderBy(merits[by], 'desc')
        .orderBy('s.id');
      // Whoever shares this reading shares what is kept of it.
      let parts: Promise<Parts<RankedStudent>> | null = null;
      return new Listed<RankedStudent>([], total, () => {
        parts ??= slowly(isCostly, () => placed.execute()).then((places) => partsOfRanking(places, named));
        return parts;
      });
    }
  }

  // Totals are kept, so that only the students of the page need their records looked up, each by index.
  const ranked =
    by === 'total' && slice.limit !== null
      ? named
          .innerJoin(placesByTotal(students).as('place'), 'place.total_score', 's.total_score')
          .select([
            sumOf(spans.recent).as('recentScore'),
            sumOf(spans.previous).as('previousScore'),
            's.total_score as merit',
            'place.rank',
          ])
          .orderBy('merit', 'desc')
          .orderBy('s.id')
      : named
          .leftJoin(sums, (join) => join.onRef('sums.student_id', '=', 's.id'))
          .select([
            recentScore.as('recentScore'),
            previousScore.as('previousScore'),
            merits[by].as('merit'),
            sql<number>`rank() OVER (ORDER BY ${merits[by]} DESC)::int`.as('rank'),
          ])
          .orderBy('merit', 'desc')
          .orderBy('s.id');
  const page = await slowly(isCostly, () => readPage(ranked, counted, slice, 's.id'));
  return page.map(({ merit: _, ...student }) => student);
}

type Place = Pick<RankedStudent, 'id' | 'recentScore' | 'previousScore' | 'rank'>;

/** Places are of one instant and kept as numbers alone; names are read with each part. */
function partsOfRanking<Row extends Omit<RankedStudent, keyof Place> & { readonly id: number }>(
  places: readonly Place[],
  named: { where(column: 's.id', is: '=', value: ReturnType<typeof anyOf>): { execute(): Promise<Row[]> } },
): Parts<RankedStudent> {
  const ranks = Float64Array.from(places, (place) => place.rank);
  const recent = Float64Array.from(places, (place) => place.recentScore);
  const previous = Float64Array.from(places, (place) => place.previousScore);
  return partsOf(compact(places), async (ids, from) => {
    const rows = new Map((await named.where('s.id', '=', anyOf(ids)).execute()).map((row) => [row.id, row]));
    return ids.flatMap((id, i) => {
      const row = rows.get(id);
      if (!row) return [];
      const [rank, recentScore, previousScore] = [ranks, recent, previous].map((kept) => kept[from + i] ?? 0);
      return [{ ...row, rank, recentScore, previousScore } as RankedStudent];
    });
  });
}

/**
 * Which rank each total has among these students. A window over the students themselves would look up the records
 * of all of them instead of those of the page.
 */
function placesByTotal(students: ReturnType<SchoolData['students']>) {
  return students
    .groupBy('s.total_score')
    .select([
      's.total_score',
      sql<number>`(sum(count(*)) OVER (ORDER BY s.total_score DESC) - count(*) + 1)::int`.as('rank'),
    ]);
}

const recentScore = sql<number>`coalesce(sums.recent, 0)`;
const previousScore = sql<number>`coalesce(sums.previous, 0)`;
const merits = {
  total: sql<number>`s.total_score`,
  recent: recentScore,
  improvement: sql<number>`${recentScore} - ${previousScore}`,
};

/** Instants: from the first, and before the second where there is one. */
interface Span {
  readonly from: string;
  readonly before: string | null;
}

function spansOf(days: number, at: Date): { recent: Span; previous: Span } {
  const start = `${firstOfLastDays(days, at)}T00:00:00.000Z`;
  const previousStart = `${firstOfLastDays(2 * days, at)}T00:00:00.000Z`;
  return { recent: { from: start, before: null }, previous: { from: previousStart, before: start } };
}

/** What the live records of student `s` in a span add up to. */
function sumOf({ from, before }: Span) {
  const end = before === null ? sql`` : sql`AND own.created_at < ${before}`;
  return sql<number>`(SELECT coalesce(sum(own.score_change), 0) FROM score_record AS own
    WHERE own.school_id = s.school_id AND own.student_id = s.id AND own.live AND own.created_at >= ${from} ${end})`;
}

/** The same of all students at once: joining the names to every record would cost many times as much. */
function sumsOfAll(data: SchoolData, { recent, previous }: { recent: Span; previous: Span }) {
  return data
    .recordsAlone()
    .where('r.created_at', '>=', previous.from)
    .groupBy('r.student_id')
    .select([
      'r.student_id',
      sql<number>`sum(r.score_change) FILTER (WHERE r.created_at >= ${recent.from})`.as('recent'),
      sql<number>`sum(r.score_change) FILTER (WHERE r.created_at < ${recent.from})`.as('previous'),
    ]);
}
