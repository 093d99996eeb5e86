import { expect } from 'vitest';
import type { CredentialClient, ExternalAnswer } from './identities.ts';
import { atEndOfFile, createSampleSchool, type SampleStudent, startTestApp } from './test-app.ts';

export type Sender = (i: number) => CredentialClient;

export const idOf = (answer: ExternalAnswer): number => (answer.data as { id: number }).id;

let processes: ReturnType<typeof startProcesses> | null = null;
let schools = 0;

async function startProcesses() {
  atEndOfFile(async () => {
    processes = null;
  });
  // Longer than other requests of a race take on a busy machine.
  const lockedRowWaitMs = 600_000;
  const test = await startTestApp({}, { lockedRowWaitMs });
  const other = await startTestApp({}, { shareDatabaseWith: test, lockedRowWaitMs });
  const admins = [await test.signIn(), await other.signIn()] as const;
  return { test, other, admins };
}

/** Opens a school served by two processes, with a school credential and a super administrator at both. */
export async function openRaceSchool() {
  processes ??= startProcesses();
  const { test, other, admins } = await processes;
  const school = await createSampleSchool(admins[0], `Riverside School ${++schools}`);
  const here = await school.issue({});
  const there = other.with(here);
  let names = 0;
  const newName = (what: string) => `${what} ${++names}`;
  const password = 'secret-password';
  return {
    ...{ test, other, school, here, there, newName },
    expectVerifiedLedger: test.expectVerifiedLedger,
    /** Half of the requests go to each process. */
    sender: (i: number) => (i % 2 === 1 ? there : here),
    admin: (i: number) => admins[(i % 2) as 0 | 1],
    newGrade: async (): Promise<number> =>
      idOf(await here.post('/grades', { name: newName('Further grade') })),
    newClass: school.newClass,
    newStudent: async (classId: number): Promise<SampleStudent> => {
      const body = { username: newName('student'), classId, password };
      return await here.created<SampleStudent>('/students', body);
    },
    newRecord: (userId: number): Promise<number> => here.give(userId, 3),
  };
}

/** Expects one success, and this code from all others. */
export function expectOneWinner(answers: readonly ExternalAnswer[], otherwise: number): void {
  const codes = answers.map((answer) => answer.code).toSorted((a, b) => a - b);
  expect(codes).toEqual([0, ...answers.slice(1).map(() => otherwise)]);
}

/** Sends single and batch writes to students in parallel. */
export function sendWrites(sender: Sender, students: readonly SampleStudent[], count: number) {
  return Array.from({ length: count }, (_, i) => {
    const student = students[i % students.length] as SampleStudent;
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
