import { expect } from 'vitest';
import type { CredentialClient, ExternalAnswer } from './identities.ts';
import {
  atEndOfFile,
  createSampleSchool,
  type SampleSchool,
  startTestApp,
  type TestApp,
} from './test-app.ts';

export interface RaceStudent {
  readonly id: number;
  readonly username: string;
}

export type Sender = (i: number) => CredentialClient;

export const idOf = (answer: ExternalAnswer): number => (answer.data as { id: number }).id;

let processes: Promise<readonly [TestApp, TestApp]> | null = null;
let schools = 0;

async function startProcesses() {
  atEndOfFile(async () => {
    processes = null;
  });
  // Longer than other requests of a race take on a busy machine.
  const lockedRowWaitMs = 600_000;
  const test = await startTestApp({}, { lockedRowWaitMs });
  const other = await startTestApp({}, { shareDatabaseWith: test, lockedRowWaitMs });
  return [test, other] as const;
}

/** A school served by two processes, with a school credential at both and helpers for races. */
export class RaceSchool {
  readonly test: TestApp;
  readonly other: TestApp;
  readonly school: SampleSchool;
  readonly here: CredentialClient;
  readonly there: CredentialClient;
  #names = 0;

  private constructor(parts: Pick<RaceSchool, 'test' | 'other' | 'school' | 'here' | 'there'>) {
    this.test = parts.test;
    this.other = parts.other;
    this.school = parts.school;
    this.here = parts.here;
    this.there = parts.there;
  }

  static async open(): Promise<RaceSchool> {
    processes ??= startProcesses();
    const [test, other] = await processes;
    const school = await createSampleSchool(await test.signIn(), `Riverside School ${++schools}`);
    const here = await school.issue({});
    return new RaceSchool({ test, other, school, here, there: other.with(here) });
  }

  sender(processes: 1 | 2): Sender {
    return (i) => (processes === 2 && i % 2 === 1 ? this.there : this.here);
  }

  newName(what: string): string {
    return `${what} ${++this.#names}`;
  }

  async newGrade(): Promise<number> {
    return idOf(await this.here.post('/grades', { name: this.newName('Further grade') }));
  }

  async newClass(gradeId: number, students: number): Promise<{ id: number; students: RaceStudent[] }> {
    const id = idOf(await this.here.post('/classes', { gradeId, name: this.newName('Class') }));
    const batch = Array.from({ length: students }, () => ({ username: this.newName('student') }));
    const made = await this.here.post('/students', {
      classId: id,
      batch,
      defaultPassword: 'secret-password',
    });
    return { id, students: (made.data as { details: RaceStudent[] }).details };
  }

  async newStudent(classId: number): Promise<RaceStudent> {
    const body = { username: this.newName('student'), classId, password: 'secret-password' };
    return (await this.here.post('/students', body)).data as RaceStudent;
  }

  newRecord(userId: number): Promise<number> {
    return this.here.give(userId, 3);
  }

  async expectVerifiedLedger(): Promise<void> {
    await this.test.expectVerifiedLedger();
  }
}

/** Expects one success, and this code from all others. */
export function expectOneWinner(answers: readonly ExternalAnswer[], otherwise: number): void {
  const codes = answers.map((answer) => answer.code).toSorted((a, b) => a - b);
  expect(codes).toEqual([0, ...answers.slice(1).map(() => otherwise)]);
}

/** Sends single and batch writes to students in parallel. */
export function sendWrites(sender: Sender, students: readonly RaceStudent[], count: number) {
  return Array.from({ length: count }, (_, i) => {
    const student = students[i % students.length] as RaceStudent;
    if (i % 3 !== 0) return sender(i).post('/scores', { userId: student.id, scoreChange: (i % 5) - 2 });
    const items = students.map(({ id, username }) =>
      i % 2 === 0 ? { userId: id, scoreChange: 1 } : { username, scoreChange: -1 },
    );
    return sender(i).post('/scores', { items: i % 4 === 0 ? items.toReversed() : items });
  });
}

/** Expects each write to succeed, or to fail because its students were deleted before. */
export function expectWrittenOrNotFound(answers: readonly ExternalAnswer[]): void {
  for (const answer of answers) {
    expect([0, 40401]).toContain(answer.code);
    const { details } = (answer.data ?? { details: [] }) as { details: { code: number }[] };
    for (const detail of details) expect([0, 40401]).toContain(detail.code);
  }
}
