import type { RankedStudent } from '@classledger/contract';
import { sql } from 'kysely';
import { defaultArchivedFilter } from '../../access/archived.ts';
import type { SchoolData } from '../../access/school-data.ts';
import { runOnSlowPool } from '../../database/caller.ts';
import { anyOf, rankBy } from '../../database/expressions.ts';
import {
  countRows,
  entriesPerPart,
  ListResult,
  type PartReaders,
  packIds,
  readPage,
  type Slice,
  splitIntoParts,
} from '../../database/page.ts';
import { sumRecords } from '../scores/count-records.ts';
import type { ClassFilter } from './class-sums.ts';
import { startOfLastDays } from './last-days.ts';
import { leaderFields } from './overview.ts';

export interface RankingQuery extends ClassFilter {
  /** Improvement: points of the last days minus points of as many days before them. */
  readonly by: 'total' | 'recent' | 'improvement';
  /** Days of the school, today included. */
  readonly days: number;
}

const shown = [...leaderFields, 's.total_score as totalScore'] as const;

/** Ranks disabled students of archived classes only for one grade or class. Students with equal points share a rank. */
export async function rankStudents(
  data: SchoolData,
  { by, days, gradeId, classId }: RankingQuery,
  at: Date,
  slice: Slice,
): Promise<ListResult<RankedStudent>> {
  const omitsArchived = defaultArchivedFilter(data, { gradeId, classId }) === false;
  let students = data
    .students()
    .where((is) =>
      omitsArchived ? is.not('s.disabled') : is.or([is.not('s.disabled'), is.ref('c.archived')]),
    );
  if (gradeId !== undefined) students = students.where('c.grade_id', '=', gradeId);
  if (classId !== undefined) students = students.where('s.class_id', '=', classId);
  const spans = buildSpans(await data.timeZone(), days, at);
  const isCostly = classId === undefined && data.range.classId === null;
  const isNarrowed = gradeId !== undefined || classId !== undefined;
  const rank = async () => {
    const source = await chooseSource(data, { gradeId, classId }, spans);
    const all = sumAllStudents(data, spans, source);
    const sums = (isNarrowed ? all.where('r.student_id', 'in', students.select('s.id')) : all).as('sums');
    const { recentScore, previousScore } = scoresFrom[source];
    const merit = {
      total: sql<number>`s.total_score`,
      recent: recentScore,
      improvement: sql<number>`${recentScore} - ${previousScore}`,
    }[by];
    return students
      .leftJoin(sums, (join) => join.onRef('sums.student_id', '=', 's.id'))
      .select([recentScore.as('recentScore'), previousScore.as('previousScore'), rankBy(merit).as('rank')])
      .orderBy(merit, 'desc')
      .orderBy('s.id');
  };

  if (slice.limit === null) {
    const total = await countRows(students);
    if (total > entriesPerPart) {
      const read = async () => (await rank()).select('s.id').execute();
      let parts: Promise<PartReaders<RankedStudent>> | null = null;
      return new ListResult<RankedStudent>([], total, () => {
        parts ??= runOnSlowPool(isCostly, read).then((places) =>
          toRankingParts(places, students.select(shown)),
        );
        return parts;
      });
    }
  }

  const { list, total, loadParts } = await runOnSlowPool(isCostly, async () => {
    // Totals are stored, so this reads only the records of the page's students, by index.
    if (by === 'total' && slice.limit !== null) {
      const placed = students
        .select(shown)
        .innerJoin(ranksByTotal(students).as('place'), 'place.total_score', 's.total_score')
        .select([
          sumOfSpan(data, spans.recent).as('recentScore'),
          sumOfSpan(data, spans.previous).as('previousScore'),
          'place.rank',
        ]);
      return readPage(placed.orderBy('s.total_score', 'desc').orderBy('s.id'), slice, 's.id', {
        counted: students,
      });
    }
    return readPage((await rank()).select(shown), slice, 's.id', { counted: students });
  });
  return new ListResult<RankedStudent>(list, total, loadParts);
}

type RankedRow = Pick<RankedStudent, 'id' | 'recentScore' | 'previousScore' | 'rank'>;

/** Keeps the ranking of one instant as numbers and reads names with each part, to save memory. */
function toRankingParts<Row extends Omit<RankedStudent, keyof RankedRow> & { readonly id: number }>(
  places: readonly RankedRow[],
  named: { where(column: 's.id', is: '=', value: ReturnType<typeof anyOf>): { execute(): Promise<Row[]> } },
): PartReaders<RankedStudent> {
  const ranks = Float64Array.from(places, (place) => place.rank);
  const recent = Float64Array.from(places, (place) => place.recentScore);
  const previous = Float64Array.from(places, (place) => place.previousScore);
  return splitIntoParts(packIds(places), async (ids, from) => {
    const rows = new Map((await named.where('s.id', '=', anyOf(ids)).execute()).map((row) => [row.id, row]));
    return ids.flatMap((id, i) => {
      const row = rows.get(id);
      if (!row) return [];
      const [rank, recentScore, previousScore] = [ranks, recent, previous].map((kept) => kept[from + i] ?? 0);
      return [{ ...row, rank, recentScore, previousScore } as RankedStudent];
    });
  });
}

/** Ranks totals instead of students, because a window over students would read the records of all of them. */
function ranksByTotal(students: ReturnType<SchoolData['students']>) {
  return students
    .groupBy('s.total_score')
    .select([
      's.total_score',
      sql<number>`(sum(count(*)) OVER (ORDER BY s.total_score DESC) - count(*) + 1)::int`.as('rank'),
    ]);
}

/** `before` is null when the span has no end. */
interface Span {
  readonly from: string;
  readonly before: string | null;
}

interface Spans {
  readonly recent: Span;
  readonly previous: Span;
}

function buildSpans(timeZone: string, days: number, at: Date): Spans {
  const start = startOfLastDays({ timeZone, days, at });
  const previousStart = startOfLastDays({ timeZone, days: 2 * days, at });
  return { recent: { from: start, before: null }, previous: { from: previousStart, before: start } };
}

function sumOfSpan({ schoolId }: SchoolData, { from, before }: Span) {
  const end = before === null ? sql`` : sql`AND own.created_at < ${before}`;
  return sql<number>`(SELECT coalesce(sum(own.score_change), 0) FROM score_record AS own
    WHERE own.school_id = ${schoolId} AND own.student_id = s.id AND own.live AND own.created_at >= ${from} ${end})`;
}

/** The records to sum: since the previous span began, or before the recent span, to subtract from the totals. */
type RecordSource = 'since' | 'before';

/** Returns the source with fewer records, by the stored sums of classes and days. */
async function chooseSource(data: SchoolData, place: ClassFilter, { recent, previous }: Spans) {
  const [all, since, sinceRecent] = await Promise.all([
    sumRecords(data, place),
    sumRecords(data, { ...place, from: previous.from }),
    sumRecords(data, { ...place, from: recent.from }),
  ]);
  return since.records <= all.records - sinceRecent.records ? 'since' : 'before';
}

const sumOfAll = sql<number>`coalesce(sums.of_all, 0)`;
const sumOfLater = sql<number>`coalesce(sums.of_later, 0)`;
/** Computes scores from the sums of the source's records (`of_all`) and of its later span (`of_later`). */
const scoresFrom = {
  since: { recentScore: sumOfLater, previousScore: sql<number>`(${sumOfAll} - ${sumOfLater})` },
  before: { recentScore: sql<number>`(s.total_score - ${sumOfAll})`, previousScore: sumOfLater },
};

/** Sums the records of all students at once. Joining names to each record would be many times slower. */
function sumAllStudents(data: SchoolData, { recent, previous }: Spans, source: RecordSource) {
  const records = data.liveRecords();
  const [those, later] =
    source === 'since'
      ? [records.where('r.created_at', '>=', previous.from), recent.from]
      : [records.where('r.created_at', '<', recent.from), previous.from];
  return those
    .groupBy('r.student_id')
    .select(({ fn }) => [
      'r.student_id',
      fn.sum<number>('r.score_change').as('of_all'),
      fn.sum<number>('r.score_change').filterWhere('r.created_at', '>=', later).as('of_later'),
    ]);
}
