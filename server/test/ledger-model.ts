import { expect } from 'vitest';
import type { AdminClient, CredentialClient, ExternalAnswer } from './identities.ts';
import type { SampleSchool, TestClock } from './test-app.ts';

interface ModelStudent {
  readonly id: number;
  username: string;
  classId: number;
  disabled: boolean;
}

export interface ModelRecord {
  readonly id: number;
  readonly studentId: number;
  readonly change: number;
  readonly createdAt: string;
}

/** `student` is an index modulo the number of students. */
export interface ModelEntry {
  readonly student: number;
  readonly change: number;
  readonly by: 'id' | 'username' | 'both';
}

type Api = 'external' | 'internal';

/** One step. Its numbers are indexes modulo the number of students, records or other targets. */
export type ModelStep =
  | { do: 'write'; at: Api; entry: ModelEntry }
  | { do: 'batch'; at: Api; entries: readonly ModelEntry[]; strangers: number }
  | { do: 'together'; batches: readonly { at: Api; entries: readonly ModelEntry[] }[] }
  | { do: 'revoke'; at: Api; record: number }
  | { do: 'undo'; records: readonly number[] }
  | { do: 'move'; student: number; place: number }
  | { do: 'disable'; student: number; disabled: boolean }
  | { do: 'rename'; student: number }
  | { do: 'expel'; student: number }
  | { do: 'enrol'; place: number; count: number }
  | { do: 'open class'; grade: number }
  | { do: 'close grade'; grade: number }
  | { do: 'close class'; place: number }
  | { do: 'move class'; place: number; grade: number }
  | { do: 'pass time'; hours: number };

/** The expected state of a school in plain maps, without sums; each answer of the API must agree with it. */
export class LedgerModel {
  readonly grades = new Set<number>();
  readonly classes = new Map<number, number>();
  readonly students = new Map<number, ModelStudent>();
  readonly records = new Map<number, ModelRecord>();
  readonly #revoked: ModelRecord[] = [];
  readonly #schoolDb: string;
  readonly #by: CredentialClient;
  readonly #signIn: () => Promise<AdminClient>;
  readonly #clock: TestClock;
  /** Replaced by a new session after it has ended. */
  #session: Promise<AdminClient> | null = null;
  #names = 0;

  constructor(
    { schoolDb, grades }: SampleSchool,
    by: CredentialClient,
    signIn: () => Promise<AdminClient>,
    clock: TestClock,
  ) {
    this.#schoolDb = schoolDb;
    this.#by = by;
    this.#signIn = signIn;
    this.#clock = clock;
    for (const grade of grades) {
      this.grades.add(grade.id);
      for (const place of grade.classes) {
        this.classes.set(place.id, grade.id);
        for (const student of place.students) {
          this.students.set(student.id, { ...student, classId: place.id, disabled: false });
        }
      }
    }
  }

  async run(step: ModelStep): Promise<void> {
    switch (step.do) {
      case 'write':
        return this.#write(step.at, [step.entry]);
      case 'batch':
        return this.#write(step.at, step.entries, step.strangers);
      case 'together':
        await Promise.all(step.batches.map(({ at, entries }) => this.#write(at, entries)));
        return;
      case 'revoke':
        return this.#revoke(step.at, step.record);
      case 'undo':
        return this.#undo(step.records);
      case 'pass time':
        this.#session = null;
        return this.#clock.advance(step.hours * 3_600_000);
      case 'move':
      case 'disable':
      case 'rename':
        return this.#change(step);
      case 'enrol':
        return this.#enrol(step);
      case 'expel':
        return this.#expel(step.student);
      case 'open class':
        return this.#openClass(step.grade);
      case 'move class':
        return this.#moveClass(step.place, step.grade);
      case 'close class':
        return this.#closeClass(step.place);
      case 'close grade':
        return this.#closeGrade(step.grade);
    }
  }

  newestFirst(): ModelRecord[] {
    return [...this.records.values()].sort(newer);
  }

  revokedNewestFirst(): ModelRecord[] {
    return this.#revoked.filter(({ studentId }) => this.students.has(studentId)).sort(newer);
  }

  async #write(at: Api, entries: readonly ModelEntry[], strangers = 0): Promise<void> {
    const known = entries.flatMap((entry) => {
      const student = pick(this.students.values(), entry.student);
      return student ? [{ ...entry, student }] : [];
    });
    if (known.length === 0) return;
    const items = known.map(({ by, change, student: { id: userId, username } }) => {
      const named = { id: { userId }, username: { username }, both: { userId, username } }[by];
      return { ...(at === 'internal' ? { userId } : named), scoreChange: change };
    });
    const unknown = Array.from({ length: strangers }, () => ({ userId: 999_999_999, scoreChange: 1 }));
    const createdAt = this.#clock.now().toISOString();
    const { status, data } = await this.#send(at, [...items, ...unknown]);
    const counts = { successCount: items.length, failedCount: strangers };
    expect({ status, data }).toMatchObject({ status: 200, data: counts });
    const { details } = data as { details: { logId: number }[] };
    for (const [i, { change, student }] of known.entries()) {
      const { id: studentId, username } = student;
      const { logId: id } = details[i] as (typeof details)[number];
      expect(details[i]).toMatchObject({ userId: studentId, username, scoreChange: change });
      this.records.set(id, { id, studentId, change, createdAt });
    }
  }

  #admin(): Promise<AdminClient> {
    this.#session ??= this.#signIn();
    return this.#session;
  }

  /** Sends one item alone, several as a batch; the answer always has the form of a batch. */
  async #send(at: Api, items: readonly object[]): Promise<{ status: number; data: unknown }> {
    const isSingle = items.length === 1;
    if (at === 'external') return this.#by.post('/scores', isSingle ? items[0] : { items });
    const [schoolDb, admin] = [this.#schoolDb, await this.#admin()];
    if (!isSingle) return admin.post('/scores/batch', { schoolDb, items });
    const { status, data } = await admin.post('/scores/add', { schoolDb, ...items[0] });
    const { log } = data as { log: { id: number } };
    return { status, data: { successCount: 1, failedCount: 0, details: [{ ...log, logId: log.id }] } };
  }

  async #revoke(at: Api, index: number): Promise<void> {
    const record = pick([...this.records.values(), ...this.#revoked], index);
    if (!record) return;
    const answer =
      at === 'internal'
        ? await (await this.#admin()).delete(`/scores/logs/${record.id}?schoolDb=${this.#schoolDb}`)
        : await this.#by.delete(`/scores/${record.id}`);
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
  async #undo(indexes: readonly number[]): Promise<void> {
    const all = [...this.records.values(), ...this.revokedNewestFirst()];
    const meant = new Set(indexes.flatMap((index) => pick(all, index) ?? []));
    if (meant.size === 0) return;
    const live = [...meant].filter(({ id }) => this.records.has(id));
    const body = { schoolDb: this.#schoolDb, ids: [...meant].map(({ id }) => id) };
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

  async #change(step: Extract<ModelStep, { do: 'move' | 'disable' | 'rename' }>): Promise<void> {
    const student = pick(this.students.values(), step.student);
    if (!student) return;
    const changed = { ...student };
    if (step.do === 'disable') changed.disabled = step.disabled;
    if (step.do === 'rename') changed.username = `renamed.${++this.#names}`;
    if (step.do === 'move') changed.classId = pick(this.classes.keys(), step.place) as number;
    const field = { disable: 'disabled', rename: 'username', move: 'classId' }[step.do] as 'classId';
    const answer = await this.#by.patch(`/students/${student.id}`, { [field]: changed[field] });
    const { id, username, classId, disabled } = changed;
    expect(answer).toMatchObject({ status: 200, data: { id, username, classId, disabled } });
    this.students.set(student.id, changed);
  }

  async #enrol({ place, count }: { place: number; count: number }): Promise<void> {
    const classId = pick(this.classes.keys(), place);
    if (classId === undefined) return;
    const batch = Array.from({ length: count }, () => ({ username: `enrolled.${++this.#names}` }));
    const answer = await this.#by.post('/students', { classId, batch, defaultPassword: 'secret-password' });
    expect(answer).toMatchObject({ status: 200, data: { successCount: count, failedCount: 0 } });
    for (const { id, username } of (answer.data as { details: { id: number; username: string }[] }).details) {
      this.students.set(id, { id, username, classId, disabled: false });
    }
  }

  async #expel(index: number): Promise<void> {
    const student = pick(this.students.values(), index);
    if (!student) return;
    const answer = await this.#by.delete(`/students/${student.id}?confirm=true`);
    const { id, username, classId } = student;
    expect(answer).toMatchObject({ status: 200, data: { id, username, classId } });
    this.#forgetStudents([student]);
  }

  async #openClass(grade: number): Promise<void> {
    const gradeId = pick(this.grades, grade);
    if (gradeId === undefined) return;
    const answer = await this.#by.post('/classes', { gradeId, name: `Opened ${++this.#names}` });
    expect(answer).toMatchObject({ status: 200, data: { gradeId } });
    this.classes.set((answer.data as { id: number }).id, gradeId);
  }

  async #moveClass(place: number, grade: number): Promise<void> {
    const classId = pick(this.classes.keys(), place);
    if (classId === undefined) return;
    const gradeId = pick(this.grades, grade) as number;
    const name = `Moved ${++this.#names}`;
    const answer = await this.#by.patch(`/classes/${classId}`, { gradeId, name });
    expect(answer).toMatchObject({ status: 200, data: { id: classId, gradeId, name } });
    this.classes.set(classId, gradeId);
  }

  async #closeClass(place: number): Promise<void> {
    const classId = pick(this.classes.keys(), place);
    if (classId === undefined) return;
    const leaving = [...this.students.values()].filter((student) => student.classId === classId);
    const answer = await this.#by.delete(`/classes/${classId}?confirm=true`);
    expectDeleted(answer, { students: leaving.length });
    this.classes.delete(classId);
    this.#forgetStudents(leaving);
  }

  async #closeGrade(index: number): Promise<void> {
    const gradeId = pick(this.grades, index);
    if (gradeId === undefined || this.grades.size === 1) return;
    const closing = [...this.classes].filter(([, grade]) => grade === gradeId).map(([id]) => id);
    const leaving = [...this.students.values()].filter((student) => closing.includes(student.classId));
    const answer = await this.#by.delete(`/grades/${gradeId}?confirm=true`);
    expectDeleted(answer, { classes: closing.length, students: leaving.length });
    this.grades.delete(gradeId);
    for (const classId of closing) this.classes.delete(classId);
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

function expectDeleted(answer: ExternalAnswer, cascadeDeleted: object): void {
  expect(answer).toMatchObject({ status: 200, data: { cascadeDeleted } });
}

function pick<T>(values: Iterable<T>, index: number): T | undefined {
  const all = [...values];
  return all[index % all.length];
}
