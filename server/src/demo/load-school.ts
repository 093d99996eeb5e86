import { rangeOfRole } from '@classledger/contract';
import { hashPassword } from '../access/passwords.ts';
import { SchoolData } from '../access/school-data.ts';
import type { Database, Transaction } from '../database/connect.ts';
import { inTransaction } from '../database/transaction.ts';
import { generateSeats } from '../features/seats/seats.ts';
import { closeTerm } from '../features/terms/switch-term.ts';
import { type DemoStudent, dayMs, loadTerm, schoolTimeZone, termStartMs } from './load-term.ts';
import { demoLogins, studentPassword } from './logins.ts';
import * as content from './made-up-data.ts';
import { inventPeople, pickRandom, seededRandom } from './made-up-data.ts';

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
