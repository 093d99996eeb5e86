import { crc32 } from 'node:zlib';
import {
  type BulkScores,
  type BulkStudents,
  type ExternalOperation,
  externalOperations,
} from '@classledger/contract';
import { expect, it } from 'vitest';
import { openSchool } from '../../test/test-app.ts';

type Entry = { id: number };
type Page = { list: Entry[]; total: number; page: number; limit: number; nextCursor?: string | null };

const { test, admin, school, office, teacher } = await openSchool();
const classId = school.grades[1].classes[0].id;
const names = ['Anna', 'anna', 'Ärger', '李伟', 'Zoë', "O'Hara"];
let counter = 0;

/** Adds students with equal names, points and times, whose usernames are spread over the order. */
async function addStudents(count: number): Promise<number[]> {
  test.clock.advance(counter % 3 === 0 ? 1_000 : 0);
  const batch = Array.from({ length: count }, () => {
    const n = ++counter;
    return { username: `${(n * 7919) % 97}.${n}`, actualName: names[n % names.length] };
  });
  const body = { classId, defaultPassword: 'secret-password', batch };
  const made = await office.created<BulkStudents>('/students', body);
  expect(made.failedCount).toBe(0);
  return made.details.map(({ id }) => id as number);
}

async function givePoints(ids: readonly number[]): Promise<number[]> {
  const items = ids
    .filter((id) => id % 3 > 0)
    .map((userId) => ({ userId, scoreChange: (userId % 5) - 2, description: String(userId) }));
  if (items.length === 0) return [];
  const { details } = await office.created<BulkScores>('/scores', { items });
  return details.map(({ logId }) => logId as number);
}

/** Reads a list to its end by cursors; alternates between Link header and body. */
async function follow(path: string, between: (page: Page) => Promise<void> = async () => {}) {
  const seen: { id: number }[] = [];
  let url = `${path}${path.includes('?') ? '&' : '?'}after=`;
  for (let turn = 0; ; turn++) {
    const answer = await office.get(url);
    expect([url, answer.status, answer.message]).toEqual([url, 200, 'ok']);
    const page = answer.data as Page;
    seen.push(...page.list);
    const link = /^<\/api\/v1(\/[^>]*)>; rel="next"$/.exec(String(answer.headers.link))?.[1];
    if (page.nextCursor === null) {
      expect(answer.headers.link).toBeUndefined();
      return seen;
    }
    expect(page.list).toHaveLength(page.limit);
    const next = `${url.replace(/after=.*/, '')}after=${page.nextCursor}`;
    expect(new URLSearchParams(link?.split('?')[1])).toEqual(new URLSearchParams(next.split('?')[1]));
    url = turn % 2 === 0 ? (link as string) : next;
    await between(page);
  }
}

const sortsOf = (operation: 'listStudents' | 'listScores') => {
  const { enum: fields } = externalOperations[operation].query.properties.sortBy as { enum?: string[] };
  // Both orders of the first field, and then one order of each field in turn.
  return [
    `sortBy=${fields?.[0]}&order=desc`,
    ...(fields as string[]).map((by, i) => `sortBy=${by}&order=${i % 2 ? 'desc' : 'asc'}`),
  ];
};
const idsOf = (entries: readonly { id: number }[]) => entries.map(({ id }) => id);

/** Replaces a read and an unread entry after the first page of a list. */
async function expectWhole(path: string, change: (gone: number) => Promise<unknown>): Promise<void> {
  const before = idsOf(await follow(`${path}&limit=100`));
  const gone = new Set<number>();
  const seen = idsOf(
    await follow(`${path}&limit=7`, async ({ list }) => {
      if (gone.size > 1) return;
      const last = list.at(-1)?.id as number;
      // The entry of the cursor, and one that is not read yet.
      const ahead = before[before.indexOf(last) + 5];
      for (const id of [last, ahead]) {
        if (id === undefined) continue;
        gone.add(id);
        await change(id);
      }
    }),
  );
  const stayed = before.filter((id) => !gone.has(id));
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen.filter((id) => stayed.includes(id))).toEqual(stayed);
  expect(gone.size).toBeGreaterThan(1);
}

// Days have no id.
const lists = Object.values<ExternalOperation>(externalOperations).filter(
  ({ id }) => id.startsWith('list') && id !== 'listDayStatistics',
);

for (const { id } of school.grades[0].classes)
  await admin.created('/admin/term-switch', { schoolDb: school.schoolDb, classId: id, action: 'reset' });

for (const { id } of school.grades[0].classes[0].students) {
  test.clock.advance(1_000);
  await office.post('/scores', { userId: id, scoreChange: 1 });
  await office.post('/templates', { name: `Template ${id}`, scoreChange: 1 });
  await office.post('/webhooks', { url: `https://sync.example/${id}`, events: ['student.*'] });
}

await givePoints(await addStudents(30));

const readIds = async (path: string, query: string) => {
  const { list } = await office.read<{ list: { id: number }[] }>(`${path}?limit=100${query}`);
  return list.map(({ id }) => id);
};

it.each(lists)('`order` is asc or desc in any case, also page by page: $path', async ({ path }) => {
  const ascending = await readIds(path, '&order=ASC');
  expect(ascending.length).toBeGreaterThan(1);
  expect(ascending).toEqual(ascending.toSorted((a, b) => a - b));
  expect(await readIds(path, '&order=desc')).toEqual(ascending.toReversed());
  expect(await readIds(path, '')).toEqual(path === '/scores' ? ascending.toReversed() : ascending);
  const { data } = await office.get(`${path}?limit=1&page=2&order=desc`);
  expect(data).toMatchObject({ list: [{ id: ascending.at(-2) }], total: ascending.length });
});

it.each(sortsOf('listStudents'))('students, %s, are each returned once despite changes', async (sort) => {
  await expectWhole(`/students?${sort}&classId=${classId}`, async (id) => {
    await office.delete(`/students/${id}?confirm=true`);
    await givePoints(await addStudents(1));
  });
  expect(await office.read(`/students?classId=${classId}`)).toMatchObject({ total: 33 });
});

it.each(sortsOf('listScores'))('records, %s, are each returned once despite changes', async (sort) => {
  const { list } = await office.read<Page>(`/students?classId=${classId}&limit=1`);
  const userId = list[0]?.id as number;
  const items = Array.from({ length: 30 }, (_, n) => ({ userId, scoreChange: (n % 3) - 1 }));
  await office.post('/scores', { items });
  const filters = ['', '&type=add', `&classId=${classId}`, `&userId=${userId}`];
  const filter = filters[sortsOf('listScores').indexOf(sort) % 4];
  await expectWhole(`/scores?${sort}${filter}`, async (id) => {
    test.clock.advance(id % 2);
    await office.delete(`/scores/${id}`);
    await office.post('/scores', { userId, scoreChange: (id % 3) - 1 || 1 });
  });
  // Removes the added records for the next case.
  await office.delete(`/students/${userId}?confirm=true`);
});

const kinds = ['grades', 'classes', 'templates'];
it.each(kinds)('%s are each returned once despite changes', async (kind) => {
  const made: number[] = [];
  const add = async () => {
    const name = `New ${++counter}`;
    const more = { grades: {}, classes: { gradeId: school.grades[0].id }, templates: { scoreChange: 1 } };
    const body = { name, ...more[kind as keyof typeof more] };
    made.push((await office.created<{ id: number }>(`/${kind}`, body)).id);
  };
  for (let i = 0; i < 12; i++) await add();
  for (const order of ['asc', 'desc']) {
    await expectWhole(`/${kind}?order=${order}`, async (id) => {
      if (!made.includes(id)) return;
      expect((await office.delete(`/${kind}/${id}?confirm=true`)).code).toBe(0);
      await add();
    });
  }
});

it('a list by cursor has the entries, order and total of the list by page numbers, and page 1', async () => {
  const students = ['/students?keyword=n', '/students?disabled=false'];
  for (const list of [...students, '/scores?startDate=2026-01-01', '/grades?order=asc']) {
    const byNumber = await office.read<Page>(`${list}&limit=5`);
    const { nextCursor, ...byCursor } = await office.read<Page>(`${list}&limit=5&after=`);
    expect(byNumber).not.toHaveProperty('nextCursor');
    expect(byCursor).toEqual(byNumber);
    expect(typeof nextCursor).toBe('string');
    const second = await office.read<Page>(`${list}&limit=5&after=${nextCursor}`);
    expect(second).toMatchObject({ total: byNumber.total, page: 1, limit: 5 });
    expect(second.list).toEqual((await office.read<Page>(`${list}&limit=5&page=2`)).list);
  }
  const nobody = { list: [], total: 0, page: 1, limit: 20, nextCursor: null };
  expect(await office.read('/students?keyword=nobody&after=')).toEqual(nobody);
});

it('a list by cursor shows a credential only its own range, even with another credential’s cursor', async () => {
  const { nextCursor } = await office.read<Page>('/students?limit=1&after=');
  const { list, total } = await teacher.read<Page>(`/students?after=${nextCursor}`);
  const own = idsOf(school.grades[0].classes[0].students);
  expect([idsOf(list), total]).toEqual([own.slice(1), own.length]);
});

it('a cursor gets 40002 if it is damaged, belongs to another list or order, or comes with a page number', async () => {
  const { nextCursor } = await office.read<Page>('/students?limit=1&after=');
  const cursor = String(nextCursor);
  const invented = (parts: unknown, sum = true) => {
    const json = Buffer.from(JSON.stringify(parts));
    const head = Buffer.alloc(4);
    if (sum) head.writeUInt32BE(crc32(json));
    return Buffer.concat([head, json]).toString('base64url');
  };
  const bad = [
    `/students?after=${cursor}&page=1`,
    `/students?after=&page=1`,
    `/scores?after=${cursor}`,
    `/grades?after=${cursor}`,
    `/students?after=${cursor}&order=desc`,
    `/students?after=${cursor}&sortBy=username`,
    `/students?after=${cursor}x`,
    `/students?after=${cursor.slice(0, -2)}`,
    `/students?after=${cursor.slice(0, 8)}A${cursor.slice(9)}`,
    '/students?after=5',
    '/students?after=%00',
    `/students?after=${cursor}&after=${cursor}`,
    ...[
      [invented(['listStudents', 'id', 'asc', 5, 5], false), ''],
      [invented({}), ''],
      [invented(['listStudents', 'id', 'asc', 5, -1]), ''],
      [invented(['listStudents', 'id', 'asc', 5, '5']), ''],
      [invented(['listStudents', 'totalScore', 'asc', '5', 5]), '&sortBy=totalScore'],
      [invented(['listStudents', 'username', 'asc', 5, 5]), '&sortBy=username'],
      [invented(['listStudents', 'username', 'asc', 'a\0', 5]), '&sortBy=username'],
      ...['today', '2026-01-01T00:00:00+23:00', `2026-01-01T00:00:00.${'0'.repeat(150)}Z`].map((at) => [
        invented(['listStudents', 'createdAt', 'asc', at, 5]),
        '&sortBy=createdAt',
      ]),
    ].map(([after, sort]) => `/students?after=${after}${sort}`),
  ];
  for (const url of bad) expect([url, (await office.get(url)).code]).toEqual([url, 40002]);
  const most = Number.MAX_SAFE_INTEGER;
  const far = invented(['listScores', 'scoreChange', 'asc', most, most]);
  const past = await office.get(`/scores?sortBy=scoreChange&order=asc&after=${far}`);
  expect(past.data).toMatchObject({ list: [], nextCursor: null });
  expect((past.data as Page).total).toBeGreaterThan(0);
});
