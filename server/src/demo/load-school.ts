import { rangeOfRole } from '@classledger/contract';
import { sql } from 'kysely';
import { hashPassword } from '../access/passwords.ts';
import { SchoolData } from '../access/school-data.ts';
import type { Database, Transaction } from '../database/connect.ts';
import { inTransaction } from '../database/transaction.ts';
import { recountDays } from '../features/scores/ledger/totals.ts';
import { generateSeats } from '../features/seats/seats.ts';
import { closeTerm } from '../features/terms/switch-term.ts';
import { demoLogins, studentPassword } from './logins.ts';
import * as content from './made-up-data.ts';
import { inventPeople, pickRandom, reasons, seededRandom } from './made-up-data.ts';

const dayMs = 86_400_000;
const termDays = 18 * 7;
/** Chosen because lessons from 8:00 to 17:30 lie inside one UTC day (0:00 to 9:30). */
const schoolTimeZone = 'Asia/Shanghai';
const lessonsMs = 9.5 * 3_600_000;

interface DemoStudent {
  readonly id: number;
  readonly classId: number;
  /** How often the student gets points; 1 is average. */
  readonly liveliness: number;
  /** Share of plus points among the student's records, 0 to 1. */
  readonly diligence: number;
}

interface DemoTerm {
  readonly schoolId: number;
  readonly students: readonly DemoStudent[];
  readonly authorId: number;
  readonly end: Date;
  /** The approximate number of records. */
  readonly count: number;
}

const weighted = (sign: number) =>
  reasons
    .filter(({ points }) => Math.sign(points) === sign)
    .flatMap((reason) => Array.from({ length: reason.weight }, () => reason));
const praise = weighted(1);
const blame = weighted(-1);

/** Returns the start of the UTC day 18 weeks before, in milliseconds since 1970. */
const termStartMs = (end: Date) => (Math.floor(end.getTime() / dayMs) - termDays) * dayMs;

/** Writes the records of a term, oldest first, without the ledger, which is made for single writes. */
async function loadTerm(tx: Transaction, term: DemoTerm): Promise<void> {
  const { schoolId, students, authorId, end, count } = term;
  const random = seededRandom(18);
  const days = Array.from({ length: termDays + 1 }, (_, n) => termStartMs(end) + n * dayMs).filter(
    (day) => ![0, 6].includes(new Date(day).getUTCDay()),
  );
  const mean = count / days.length / students.length;
  for (const day of days) {
    const records = students.flatMap(({ id, liveliness, diligence }) =>
      // From zero to twice the mean; the second random number rounds up or down.
      Array.from({ length: Math.floor(2 * mean * liveliness * random() + random()) }, () => {
        const { points, texts } = pickRandom(random, random() < diligence ? praise : blame);
        const at = day + Math.floor(lessonsMs * random());
        return { id, at, points, text: pickRandom(random, texts) };
      }),
    );
    await sql`
      INSERT INTO score_record (school_id, student_id, created_at, admin_id, score_change, description)
      SELECT ${schoolId}, n.id, to_timestamp(n.at / 1000), ${authorId}, n.points, n.text
      FROM unnest(${records.map(({ id }) => id)}::bigint[], ${records.map(({ at }) => at)}::float8[],
        ${records.map(({ points }) => points)}::int[], ${records.map(({ text }) => text)}::text[])
        AS n (id, at, points, text)
      WHERE n.at <= ${end.getTime()} ORDER BY n.at`.execute(tx);
  }
  await computeTotals(tx, schoolId, schoolTimeZone);
}

/** Computes all totals of a school from its live records. @param timeZone the zone of the school */
export async function computeTotals(tx: Transaction, schoolId: number, timeZone: string): Promise<void> {
  await sql`
    UPDATE student s SET add_score = l.added, deduct_score = l.deducted, total_score = l.added + l.deducted,
      score_count = l.records
    FROM (
      SELECT student_id, sum(greatest(score_change, 0)) AS added, sum(least(score_change, 0)) AS deducted,
        count(*) AS records
      FROM score_record WHERE school_id = ${schoolId} AND live GROUP BY 1
    ) l
    WHERE s.school_id = ${schoolId} AND s.id = l.student_id`.execute(tx);
  await sql`
    UPDATE class c SET add_score = s.added, deduct_score = s.deducted, record_count = s.records,
      student_count = s.students, disabled_student_count = s.disabled
    FROM (
      SELECT class_id, sum(add_score) AS added, sum(deduct_score) AS deducted, sum(score_count) AS records,
        count(*) AS students, count(*) FILTER (WHERE disabled) AS disabled
      FROM student WHERE school_id = ${schoolId} GROUP BY 1
    ) s
    WHERE c.school_id = ${schoolId} AND c.id = s.class_id`.execute(tx);
  await recountDays(new SchoolData(tx, { schoolId, gradeId: null, classId: null }), timeZone);
}

const preparationMs = 10 * dayMs;
const holidaysMs = 28 * dayMs;
/** Classes that used the product a term earlier than the others. */
const pilotCount = 3;
/** Seats for the largest class. */
const seatLayout = { groupCount: 4, rowsPerGroup: 6, colsPerGroup: 2 };

/** The columns that all rows of the new school have. */
interface NewRow {
  readonly school_id: number;
  readonly created_at: Date;
}

/** Loads the demo in one transaction. @param count about how many records the term has @returns the school's id */
export async function loadSchool(db: Database, now: Date, count: number): Promise<number> {
  const pastTermEnd = new Date(termStartMs(now) - holidaysMs);
  const created_at = new Date(termStartMs(pastTermEnd) - preparationMs);
  return inTransaction(db, async (tx) => {
    const { id: schoolId } = await tx
      .insertInto('school')
      .values({ name: content.schoolName, time_zone: schoolTimeZone, created_at })
      .returning('id')
      .executeTakeFirstOrThrow();
    const newRow = { school_id: schoolId, created_at };
    const classes = await insertClasses(tx, newRow);
    const classIds = classes.map(({ id }) => id);
    const students = await insertStudents(tx, newRow, classIds);
    await insertTemplates(tx, newRow, classIds);
    const author = await insertAdmins(tx, newRow, classes);
    const pilots = classIds.slice(0, pilotCount);
    await loadTerm(tx, {
      schoolId,
      students: students.filter(({ classId }) => pilots.includes(classId)),
      authorId: author.id,
      end: pastTermEnd,
      count: (count * pilotCount) / classIds.length,
    });
    const data = new SchoolData(tx, { schoolId, gradeId: null, classId: null });
    for (const classId of pilots) {
      const change = { classId, action: 'archive' as const, name: '上学期 Last term' };
      await closeTerm(data, change, author, pastTermEnd, true);
    }
    for (const classId of classIds) await generateSeats(data, { classId, ...seatLayout });
    await insertNews(tx, now);
    await loadTerm(tx, { schoolId, students, authorId: author.id, end: now, count });
    return schoolId;
  });
}

async function insertClasses(tx: Transaction, newRow: NewRow): Promise<{ id: number; grade_id: number }[]> {
  const grades = await tx
    .insertInto('grade')
    .values(content.gradeNames.map((name) => ({ ...newRow, name })))
    .returning(['id', 'name'])
    .execute();
  const classes = grades.flatMap((grade) =>
    [...'ABCDEF'].map((letter) => ({
      ...newRow,
      grade_id: grade.id,
      name: `${grade.name.split(' ').at(-1)}${letter} 班`,
    })),
  );
  return tx.insertInto('class').values(classes).returning(['id', 'grade_id']).execute();
}

async function insertStudents(tx: Transaction, newRow: NewRow, classIds: number[]): Promise<DemoStudent[]> {
  const random = seededRandom(2026);
  const nextPerson = inventPeople(random);
  const password_hash = await hashPassword(studentPassword);
  const places = classIds.flatMap((id) => Array.from({ length: 42 + Math.floor(6 * random()) }, () => id));
  const planned = places.map((class_id, i) => {
    const { actualName, username } = nextPerson();
    const disabled = random() < 0.015;
    const hasEmail = random() < 0.35;
    return {
      ...newRow,
      class_id,
      username,
      actual_name: actualName,
      external_id: `S-2026-${String(i + 1).padStart(4, '0')}`,
      card_number: String(4_831_207 + 7 * i).padStart(10, '0'),
      password_hash,
      disabled,
      disabled_at: disabled ? newRow.created_at : null,
      email: hasEmail ? `${username}@students.riverside.example` : null,
      email_bound_at: hasEmail ? newRow.created_at : null,
    };
  });
  const students = await tx
    .insertInto('student')
    .values(planned)
    .returning(['id', 'class_id as classId'])
    .execute();
  return students.map((student) => ({
    ...student,
    liveliness: 0.45 + 1.1 * random(),
    diligence: 0.97 - 0.5 * random() ** 2.5,
  }));
}

async function insertTemplates(tx: Transaction, newRow: NewRow, classIds: number[]): Promise<void> {
  const random = seededRandom(7);
  const templatesOf = (class_id: number | null, reasons: typeof content.reasons) =>
    reasons.map(({ points, texts }) => {
      const name = pickRandom(random, texts);
      const values = { class_id, name, description: name, score_change: points };
      return { ...newRow, ...values, updated_at: newRow.created_at };
    });
  const ofSchool = templatesOf(null, content.reasons);
  const ofClasses = classIds.flatMap((id, i) =>
    templatesOf(id, content.reasons.slice(i % 6, (i % 6) + 1 + (i % 3))),
  );
  await tx
    .insertInto('template')
    .values([...ofSchool, ...ofClasses])
    .execute();
}

/** Returns the school administrator. */
async function insertAdmins(
  tx: Transaction,
  newRow: NewRow,
  [firstClass]: readonly { id: number; grade_id: number }[],
): Promise<{ id: number; username: string }> {
  const admins = demoLogins.map(async ({ username, password, role }) => ({
    ...newRow,
    username,
    password_hash: await hashPassword(password),
    role,
    grade_id: rangeOfRole[role] === 'school' ? null : firstClass?.grade_id,
    class_id: rangeOfRole[role] === 'class' ? firstClass?.id : null,
  }));
  return tx
    .insertInto('admin')
    .values(await Promise.all(admins))
    .returning(['id', 'username'])
    .executeTakeFirstOrThrow();
}

async function insertNews(tx: Transaction, now: Date): Promise<void> {
  const before = (days: number) => new Date(now.getTime() - days * dayMs);
  const announcements = content.announcements.map(({ daysAgo, ...announcement }) => ({
    ...announcement,
    active: true,
    created_at: before(daysAgo),
    updated_at: before(daysAgo),
  }));
  await tx.insertInto('announcement').values(announcements).execute();
  await tx
    .insertInto('application')
    .values({ ...content.application, created_at: before(3) })
    .execute();
}
