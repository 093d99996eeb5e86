import { rangeOfRole } from '@classledger/contract';
import { sql } from 'kysely';
import { hashPassword } from '../access/passwords.ts';
import type { Database, Transaction } from '../database/connect.ts';
import { inTransaction } from '../database/transaction.ts';
import { loadAnnouncementsAndApplications } from './load-announcements.ts';
import { loadPastTerm, seatClasses } from './load-past-term.ts';
import { loadTerm } from './load-term.ts';
import { demoLogins, studentPassword } from './logins.ts';
import { Random } from './random.ts';
import { classTemplates, schoolTemplates } from './reasons.ts';
import {
  type PlannedStudent,
  planSchool,
  type SchoolPlan,
  schoolName,
  schoolTimeZone,
} from './school-plan.ts';
import { termStart } from './term-plan.ts';

const dayMs = 86_400_000;
const preparationMs = 10 * dayMs;
const holidaysMs = 28 * dayMs;
/** Classes that used the product a term earlier than the others. */
const pilotClasses = 3;

export interface LoadedSchool {
  readonly id: number;
  readonly students: number;
  readonly records: number;
}

/** Loads the school and news in one transaction. @param records about how many scores the term has */
export async function loadSchool(db: Database, now: Date, records: number): Promise<LoadedSchool> {
  const plan = planSchool();
  const hashes = await hashPasswords();
  const pastTermEnd = new Date(termStart(now).getTime() - holidaysMs);
  const prepared = new Date(termStart(pastTermEnd).getTime() - preparationMs);
  return inTransaction(db, async (tx) => {
    const { id } = await tx
      .insertInto('school')
      .values({ name: schoolName, time_zone: schoolTimeZone, created_at: prepared })
      .returning('id')
      .executeTakeFirstOrThrow();
    const classes = await insertClasses(tx, id, plan, prepared);
    const roster = await insertStudents(
      tx,
      id,
      plan,
      classes,
      hashes.get(studentPassword) as string,
      prepared,
    );
    await insertTemplates(tx, id, classes, prepared);
    const authors = await insertAdmins(tx, id, classes, hashes, prepared);
    const author = { id: authors[0] as number, username: demoLogins[0]?.username as string };
    const first = classes.slice(0, pilotClasses);
    await loadPastTerm(tx, {
      schoolId: id,
      classes: first.map((found) => ({
        id: found.id,
        roster: roster.filter((student) => student.classId === found.id),
      })),
      authorId: author.id,
      closer: author,
      closedAt: pastTermEnd,
      name: '上学期 Last term',
      records: (records * first.length) / classes.length,
    });
    await seatClasses(tx, id, classes);
    await loadAnnouncementsAndApplications(tx, now);
    const written = await loadTerm(tx, { schoolId: id, roster, authorId: author.id, now, records });
    return { id, students: roster.length, records: written };
  });
}

async function hashPasswords(): Promise<Map<string, string>> {
  const passwords = [studentPassword, ...demoLogins.map(({ password }) => password)];
  return new Map(
    await Promise.all(passwords.map(async (password) => [password, await hashPassword(password)] as const)),
  );
}

interface ClassRow {
  readonly id: number;
  readonly gradeId: number;
}

async function insertClasses(
  tx: Transaction,
  schoolId: number,
  plan: SchoolPlan,
  at: Date,
): Promise<ClassRow[]> {
  const grades = await tx
    .insertInto('grade')
    .values(plan.grades.map((name) => ({ school_id: schoolId, name, created_at: at })))
    .returning('id')
    .execute();
  const gradeIds = grades.map((grade) => grade.id);
  return tx
    .insertInto('class')
    .values(
      plan.classes.map(({ grade, name, students }) => ({
        school_id: schoolId,
        grade_id: gradeIds[grade] as number,
        name,
        student_count: students.length,
        disabled_student_count: students.filter((student) => student.disabled).length,
        created_at: at,
      })),
    )
    .returning(['id', 'grade_id as gradeId'])
    .execute();
}

async function insertStudents(
  tx: Transaction,
  schoolId: number,
  plan: SchoolPlan,
  classes: readonly ClassRow[],
  passwordHash: string,
  at: Date,
): Promise<(PlannedStudent & { studentId: number; classId: number })[]> {
  const planned = plan.classes.flatMap(({ students }, i) =>
    students.map((student) => ({ student, classId: (classes[i] as ClassRow).id })),
  );
  const { rows } = await sql<{ id: number }>`
    INSERT INTO student (school_id, class_id, username, actual_name, external_id, card_number, disabled, disabled_at, email,
      email_bound_at, password_hash, created_at)
    SELECT ${schoolId}, n.class_id, n.username, n.actual_name, 'S-2026-' || lpad(n.position::text, 4, '0'),
      lpad((4831200 + 7 * n.position)::text, 10, '0'), n.disabled,
      CASE WHEN n.disabled THEN ${at.toISOString()}::timestamptz END, n.email,
      CASE WHEN n.email IS NOT NULL THEN ${at.toISOString()}::timestamptz END, ${passwordHash},
      ${at.toISOString()}::timestamptz
    FROM unnest(${planned.map(({ classId }) => classId)}::bigint[],
      ${planned.map(({ student }) => student.username)}::text[],
      ${planned.map(({ student }) => student.actualName)}::text[],
      ${planned.map(({ student }) => student.disabled)}::boolean[],
      ${planned.map(({ student }) => student.email)}::text[])
      WITH ORDINALITY AS n (class_id, username, actual_name, disabled, email, position)
    ORDER BY n.position
    RETURNING id`.execute(tx);
  return planned.map(({ student, classId }, i) => ({
    ...student,
    classId,
    studentId: (rows[i] as { id: number }).id,
  }));
}

async function insertTemplates(
  tx: Transaction,
  schoolId: number,
  classes: readonly ClassRow[],
  at: Date,
): Promise<void> {
  const random = new Random(7);
  const owned = [
    ...schoolTemplates.map((template) => ({ classId: null, template })),
    ...classes.flatMap(({ id }) => {
      const first = random.integer(0, classTemplates.length - 3);
      return classTemplates
        .slice(first, first + random.integer(1, 3))
        .map((template) => ({ classId: id, template }));
    }),
  ];
  await tx
    .insertInto('template')
    .values(
      owned.map(({ classId, template }) => ({
        school_id: schoolId,
        class_id: classId,
        name: template.name,
        score_change: template.change,
        description: template.description,
        created_at: at,
        updated_at: at,
      })),
    )
    .execute();
}

async function insertAdmins(
  tx: Transaction,
  schoolId: number,
  classes: readonly ClassRow[],
  hashes: ReadonlyMap<string, string>,
  at: Date,
): Promise<number[]> {
  const [first] = classes as [ClassRow];
  const rows = await tx
    .insertInto('admin')
    .values(
      demoLogins.map(({ username, password, role }) => ({
        username,
        password_hash: hashes.get(password) as string,
        role,
        school_id: schoolId,
        grade_id: rangeOfRole[role] === 'school' ? null : first.gradeId,
        class_id: rangeOfRole[role] === 'class' ? first.id : null,
        created_at: at,
      })),
    )
    .returning('id')
    .execute();
  return rows.map((row) => row.id);
}
