import {
  type Category,
  type Change,
  type ChangeType,
  type Class,
  changeTypes,
  type Grade,
  type ScoreRecord,
  type Student,
  type Template,
} from '@classledger/contract';
import { expect } from 'vitest';
import type { CredentialClient } from './identities.ts';

interface Records {
  readonly student: Student;
  readonly score: ScoreRecord;
  readonly grade: Grade;
  readonly class: Class;
  readonly template: Template;
  readonly category: Category;
}

type Tables = { readonly [T in ChangeType]: Map<number, Records[T]> };

const pathOf = {
  student: '/students',
  score: '/scores?sortBy=id&order=asc',
  grade: '/grades',
  class: '/classes',
  template: '/templates',
  category: '/categories',
} as const satisfies Record<ChangeType, string>;

interface ChangePage {
  readonly list: Change[];
  readonly cursor: string;
  readonly hasMore: boolean;
}

/** Copies a school as an app would: reads the lists once, then follows the change feed. */
export class CopyByChanges {
  readonly #client: CredentialClient;
  readonly #limit: number;
  #copy: Tables = emptyTables();
  #cursor = '';
  readonly #seen: Change[] = [];

  constructor(client: CredentialClient, limit = 100) {
    this.#client = client;
    this.#limit = limit;
  }

  async begin(): Promise<this> {
    this.#cursor = (await this.#client.read<ChangePage>('/changes')).cursor;
    this.#copy = await readLists(this.#client);
    return this;
  }

  /** Reads one page and returns whether more is available. */
  async readNextPage(): Promise<boolean> {
    const path = `/changes?limit=${this.#limit}&after=${this.#cursor}`;
    const { list, cursor, hasMore } = await this.#client.read<ChangePage>(path);
    for (const change of list) {
      this.#seen.push(change);
      const table = this.#copy[change.type] as Map<number, unknown>;
      if (change.record) table.set(change.id, change.record);
      else table.delete(change.id);
    }
    this.#cursor = cursor;
    return hasMore;
  }

  /** Reads to the end and returns the changes as `type action id`. */
  async catchUp(): Promise<string[]> {
    while (await this.readNextPage());
    return this.#seen.splice(0).map(({ type, action, id }) => `${type} ${action} ${id}`);
  }

  /** Follows the feed, which open transactions may delay, until the copy equals the lists; returns the changes. */
  async expectEqualToLists(): Promise<string[]> {
    const came: string[] = [];
    const lists = shown(await readLists(this.#client));
    await expect
      .poll(
        async () => {
          came.push(...(await this.catchUp()));
          return this.#derived();
        },
        { timeout: 60_000, interval: 5 },
      )
      .toEqual(lists);
    return came;
  }

  #derived(): unknown {
    const { student, score, grade, class: classes, template, category } = this.#copy;
    const placeOf = (classId: number) => {
      const { name: className = '', gradeId = 0 } = classes.get(classId) ?? {};
      return { classId, className, gradeId, gradeName: grade.get(gradeId)?.name as string };
    };
    const scoresOf = Map.groupBy(score.values(), ({ userId }) => userId);
    const mapped = <T, U>(table: Map<number, T>, map: (one: T) => U) =>
      new Map([...table].map(([id, one]) => [id, map(one)] as const));
    return shown({
      grade,
      template,
      category,
      class: mapped(classes, (one) => ({ ...one, gradeName: grade.get(one.gradeId)?.name as string })),
      student: mapped(student, (one) => {
        const points = (scoresOf.get(one.id) ?? []).map(({ scoreChange }) => scoreChange);
        const sum = (some: number[]) => some.reduce((total, change) => total + change, 0);
        return {
          ...one,
          ...placeOf(one.classId),
          totalScore: sum(points),
          addScore: sum(points.filter((change) => change > 0)),
          deductScore: sum(points.filter((change) => change < 0)),
          scoreCount: points.length,
        };
      }),
      score: mapped(score, (one) => {
        const { username = '', actualName = '', classId = 0 } = student.get(one.userId) ?? {};
        return { ...one, username, actualName, ...placeOf(classId) };
      }),
    });
  }
}

const emptyTables = (): Tables => ({
  student: new Map(),
  score: new Map(),
  grade: new Map(),
  class: new Map(),
  template: new Map(),
  category: new Map(),
});

const shown = (tables: Tables) =>
  changeTypes.flatMap((type) =>
    [...(tables[type] as Map<number, { id: number }>).values()]
      .toSorted((a, b) => a.id - b.id)
      .map((record) => ({ type, ...record })),
  );

async function readLists(client: CredentialClient): Promise<Tables> {
  const tables = emptyTables();
  for (const type of changeTypes) {
    const records = await client.readAll<{ id: number }>(pathOf[type]);
    for (const record of records) (tables[type] as Map<number, unknown>).set(record.id, record);
  }
  return tables;
}
