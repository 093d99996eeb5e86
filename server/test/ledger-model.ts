import { expect } from 'vitest';
import type { AdminClient, CredentialClient } from './identities.ts';
import { type SampleSchool, type SampleStudent, studentPassword, type TestClock } from './test-app.ts';

interface ModelStudent extends SampleStudent {
  readonly classId: number;
  readonly disabled: boolean;
}

export interface ModelRecord {
  readonly id: number;
  readonly studentId: number;
  readonly change: number;
  readonly categoryId: number | null;
  readonly createdAt: string;
}

/** `student` is an index modulo the number of students. */
export interface ModelEntry {
  readonly student: number;
  readonly change: number;
  readonly by: 'id' | 'username' | 'both';
  /** Null for none; otherwise an index modulo the number of categories. */
  readonly category: number | null;
}

type Api = 'external' | 'internal';

interface ModelOptions {
  readonly school: SampleSchool;
  readonly by: CredentialClient;
  readonly categories: readonly number[];
  readonly signIn: () => Promise<AdminClient>;
  readonly clock: TestClock;
}

/**
 * The expected state of a school in plain maps, without sums; each answer of the API must agree with it. The numbers
 * that name a target are indexes modulo the number of students, records or other targets.
 */
export class LedgerModel {
  readonly grades = new Set<number>();
  readonly classes = new Map<number, number>();
  readonly students = new Map<number, ModelStudent>();
  readonly records = new Map<number, ModelRecord>();
  readonly #revoked: ModelRecord[] = [];
  readonly #options: ModelOptions;
  /** Replaced by a new session after it has ended. */
  #session: Promise<AdminClient> | null = null;
  #names = 0;

  constructor(options: ModelOptions) {
    this.#options = options;
    for (const grade of options.school.grades) {
      this.grades.add(grade.id);
      for (const place of grade.classes) {
        this.classes.set(place.id, grade.id);
        for (const student of place.students) {
          this.students.set(student.id, { ...student, classId: place.id, disabled: false });
        }
      }
    }
  }

  newestFirst(): ModelRecord[] {
    return [...this.records.values()].sort(newer);
  }

  revokedNewestFirst(): ModelRecord[] {
    return this.#revoked.filter(({ studentId }) => this.students.has(studentId)).sort(newer);
  }

  async passTime(hours: number): Promise<void> {
    this.#session = null;
    this.#options.clock.advance(hours * 3_600_000);
  }

  async writeTogether(batches: readonly { at: Api; entries: readonly ModelEntry[] }[]): Promise<void> {
    await Promise.all(batches.map(({ at, entries }) => this.write(at, entries)));
  }

  /** Gives points to students, and to some ids that no student has. */
  async write(at: Api, entries: readonly ModelEntry[], strangers = 0): Promise<void> {
    const known = entries.flatMap((entry) => {
      const student = pick(this.students.values(), entry.student);
      const categoryId =
        entry.category === null ? null : (pick(this.#options.categories, entry.category) ?? null);
      return student ? [{ ...entry, student, categoryId }] : [];
    });
    if (known.length === 0) return;
    const items = known.map(({ by, change, categoryId, student: { id: userId, username } }) => {
      const named = { id: { userId }, username: { username }, both: { userId, username } }[by];
      return { ...(at === 'internal' ? { userId } : named), scoreChange: change, categoryId };
    });
    const unknown = Array.from({ length: strangers }, () => ({ userId: 999_999_999, scoreChange: 1 }));
    const createdAt = this.#options.clock.now().toISOString();
    const { status, data } = await this.#send(at, [...items, ...unknown]);
    const counts = { successCount: items.length, failedCount: strangers };
    expect({ status, data }).toMatchObject({ status: 200, data: counts });
    const { details } = data as { details: { logId: number }[] };
    for (const [i, { change, student, categoryId }] of known.entries()) {
      const { id: studentId, username } = student;
      const { logId: id } = details[i] as (typeof details)[number];
      expect(details[i]).toMatchObject({ userId: studentId, username, scoreChange: change });
      this.records.set(id, { id, studentId, change, categoryId, createdAt });
    }
  }

  #admin(): Promise<AdminClient> {
    this.#session ??= this.#options.signIn();
    return this.#session;
  }

  /** Sends one item alone, several as a batch; the answer always has the form of a batch. */
  async #send(at: Api, items: readonly object[]): Promise<{ status: number; data: unknown }> {
    const isSingle = items.length === 1;
    const { by, school } = this.#options;
    if (at === 'external') return by.post('/scores', isSingle ? items[0] : { items });
    const [schoolDb, admin] = [school.schoolDb, await this.#admin()];
    if (!isSingle) return admin.post('/scores/batch', { schoolDb, items });
    const { status, data } = await admin.post('/scores/add', { schoolDb, ...items[0] });
    const { log } = data as { log: { id: number } };
    return { status, data: { successCount: 1, failedCount: 0, details: [{ ...log, logId: log.id }] } };
  }

  async revoke(at: Api, index: number): Promise<void> {
    const record = pick([...this.records.values(), ...this.#revoked], index);
    if (!record) return;
    const answer =
      at === 'internal'
        ? await (await this.#admin()).delete(
            `/scores/logs/${record.id}?schoolDb=${this.#options.school.schoolDb}`,
          )
        : await this.#options.by.delete(`/scores/${record.id}`);
    if (!this.records.has(record.id)) {
      expect(answer.status).toBe(404);
      return;
    }
    expect(answer).toMatchObject({
      status: 200,
      data: { logId: record.id, userId: record.studentId, revokedScoreChange: record.change },
    });
    this.records.delete(record.id);
    this.#revoked.push(record);
  }

  /** Revokes several at once; already revoked ones stay as they are. */
  async undo(indexes: readonly number[]): Promise<void> {
    const all = [...this.records.values(), ...this.revokedNewestFirst()];
    const meant = new Set(indexes.flatMap((index) => pick(all, index) ?? []));
    if (meant.size === 0) return;
    const live = [...meant].filter(({ id }) => this.records.has(id));
    const body = { schoolDb: this.#options.school.schoolDb, ids: [...meant].map(({ id }) => id) };
    const answer = await (await this.#admin()).post('/scores/logs/revoke', body);
    for (const record of live) {
      this.records.delete(record.id);
      this.#revoked.push(record);
    }
    const reached = [...new Set([...meant].map(({ studentId }) => studentId))].sort((a, b) => a - b);
    const students = reached.map((id) => {
      const own = [...this.records.values()].filter(({ studentId }) => studentId === id);
      const totalScore = own.reduce((sum, { change }) => sum + change, 0);
      return { id, classId: this.students.get(id)?.classId, totalScore, scoreCount: own.length };
    });
    expect(answer).toMatchObject({ status: 200, data: { revoked: live.length, students } });
  }

  move(student: number, place: number): Promise<void> {
    return this.#change(student, { classId: pick(this.classes.keys(), place) as number });
  }

  disable(student: number, disabled: boolean): Promise<void> {
    return this.#change(student, { disabled });
  }

  rename(student: number): Promise<void> {
    return this.#change(student, { username: `renamed.${++this.#names}` });
  }

  async #change(index: number, fields: Partial<ModelStudent>): Promise<void> {
    const student = pick(this.students.values(), index);
    if (!student) return;
    const changed = { ...student, ...fields };
    const answer = await this.#options.by.patch(`/students/${student.id}`, fields);
    expect(answer).toMatchObject({ status: 200, data: changed });
    this.students.set(student.id, changed);
  }

  async enrol(place: number, count: number): Promise<void> {
    const classId = pick(this.classes.keys(), place);
    if (classId === undefined) return;
    const batch = Array.from({ length: count }, () => ({ username: `enrolled.${++this.#names}` }));
    const body = { classId, batch, defaultPassword: studentPassword };
    const answer = await this.#options.by.post('/students', body);
    expect(answer).toMatchObject({ status: 200, data: { successCount: count, failedCount: 0 } });
    for (const { id, username } of (answer.data as { details: SampleStudent[] }).details) {
      this.students.set(id, { id, username, classId, disabled: false });
    }
  }

  async expel(index: number): Promise<void> {
    const student = pick(this.students.values(), index);
    if (student) await this.#expel(student);
  }

  async #expel(student: ModelStudent): Promise<void> {
    const { id, classId } = student;
    const answer = await this.#options.by.delete(`/students/${id}?confirm=true`);
    expect(answer).toMatchObject({ status: 200, data: { id, classId } });
    this.#forgetStudents([student]);
  }

  /** Erases the student's data; the points stay. */
  async erase(index: number): Promise<void> {
    const student = pick(this.students.values(), index);
    if (!student) return;
    const path = `/users/${student.id}/erase?schoolDb=${this.#options.school.schoolDb}`;
    expect(await (await this.#admin()).post(path, {})).toMatchObject({ status: 200 });
    // An erased student gets no points, so the model lets the student go.
    await this.#expel(student);
  }

  /** Ends the term of a class, after which its records count no more. */
  async endTerm(place: number): Promise<void> {
    const classId = pick(this.classes.keys(), place);
    if (classId === undefined) return;
    const { schoolDb } = this.#options.school;
    const body = { schoolDb, classId, action: 'archive' };
    expect(await (await this.#admin()).post('/admin/term-switch', body)).toMatchObject({ status: 200 });
    for (const { id, studentId } of this.records.values())
      if (this.students.get(studentId)?.classId === classId) this.records.delete(id);
  }

  async openClass(grade: number): Promise<void> {
    const gradeId = pick(this.grades, grade);
    if (gradeId === undefined) return;
    const answer = await this.#options.by.post('/classes', { gradeId, name: `Opened ${++this.#names}` });
    expect(answer).toMatchObject({ status: 200, data: { gradeId } });
    this.classes.set((answer.data as { id: number }).id, gradeId);
  }

  async moveClass(place: number, grade: number): Promise<void> {
    const classId = pick(this.classes.keys(), place);
    if (classId === undefined) return;
    const gradeId = pick(this.grades, grade) as number;
    const name = `Moved ${++this.#names}`;
    const answer = await this.#options.by.patch(`/classes/${classId}`, { gradeId, name });
    expect(answer).toMatchObject({ status: 200, data: { id: classId, gradeId, name } });
    this.classes.set(classId, gradeId);
  }

  async closeClass(place: number): Promise<void> {
    const classId = pick(this.classes.keys(), place);
    if (classId !== undefined) await this.#close(`/classes/${classId}`, [classId], {});
  }

  async closeGrade(index: number): Promise<void> {
    const gradeId = pick(this.grades, index);
    if (gradeId === undefined || this.grades.size === 1) return;
    const closing = [...this.classes].filter(([, grade]) => grade === gradeId).map(([id]) => id);
    await this.#close(`/grades/${gradeId}`, closing, { classes: closing.length });
    this.grades.delete(gradeId);
  }

  async #close(path: string, classIds: readonly number[], deleted: object): Promise<void> {
    const leaving = [...this.students.values()].filter(({ classId }) => classIds.includes(classId));
    const cascadeDeleted = { ...deleted, students: leaving.length };
    const answer = await this.#options.by.delete(`${path}?confirm=true`);
    expect(answer).toMatchObject({ status: 200, data: { cascadeDeleted } });
    for (const classId of classIds) this.classes.delete(classId);
    this.#forgetStudents(leaving);
  }

  #forgetStudents(leaving: readonly ModelStudent[]): void {
    for (const { id } of leaving) {
      this.students.delete(id);
      for (const record of this.records.values()) {
        if (record.studentId !== id) continue;
        this.records.delete(record.id);
        this.#revoked.push(record);
      }
    }
  }
}

const newer = (a: ModelRecord, b: ModelRecord) =>
  a.createdAt === b.createdAt ? b.id - a.id : a.createdAt < b.createdAt ? 1 : -1;

function pick<T>(values: Iterable<T>, index: number): T | undefined {
  const all = [...values];
  return all[index % all.length];
}
