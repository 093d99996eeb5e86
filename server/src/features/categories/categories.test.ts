import type { BulkScores, Category, CategoryTotals, ScoreRecord, Template } from '@classledger/contract';
import { afterEach, expect, it } from 'vitest';
import { createStaff } from '../../../test/administrators.ts';
import { LockedRows } from '../../../test/locked-rows.ts';
import { createSampleSchool, openSchool, studentPassword } from '../../../test/test-app.ts';

const { test, admin, school, office, gradeHead, teacher } = await openSchool();
const staff = await createStaff(test, school);
const other = await createSampleSchool(admin, 'Other School');
const foreignOffice = await other.issue({});
const { schoolDb } = school;
const [place] = school.grades[0].classes;
const [anna, bert, cleo] = place.students;

afterEach(() => test.expectVerifiedLedger());

let codes = 0;
const newCategory = (by = office) =>
  by.created<Category>('/categories', { code: `c${++codes}`, name: `Kind ${codes}`, colour: 3 });
const retire = (id: number, retired = true) => office.patch(`/categories/${id}`, { retired });
const newTemplate = (body: object) =>
  office.created<Template>('/templates', { name: `Template ${++codes}`, scoreChange: 2, ...body });
const newStudent = () =>
  office.created<{ id: number }>('/students', { username: `new.${++codes}`, classId: place.id });
const recordsOf = async (query: string) =>
  (await office.read<{ list: ScoreRecord[]; total: number }>(`/scores?${query}`)).list;
const points = (totals: readonly CategoryTotals[]) =>
  totals.flatMap(({ categoryId, totalScore, scoreCount }) =>
    scoreCount > 0 ? [[categoryId, totalScore, scoreCount]] : [],
  );

it('before a school has categories, answers have null and empty lists, and no sums by category are stored', async () => {
  await office.give(anna.id, 3);
  expect(await office.read('/categories')).toMatchObject({ list: [], total: 0 });
  expect(await recordsOf(`userId=${anna.id}`)).toMatchObject([{ categoryId: null }]);
  expect(await office.read(`/students/${anna.id}`)).toMatchObject({ byCategory: [] });
  expect(await office.read('/stats/overview')).toMatchObject({ byCategory: [] });
  expect(await staff.ofClass.read(`/stats/categories?schoolDb=${schoolDb}`)).toEqual([]);
  for (const table of ['student_category', 'class_day_category'])
    expect(await test.rows(`SELECT * FROM ${table}`)).toEqual([]);
});

it('the office creates, changes, retires and brings back categories, which nobody else may and nobody can delete', async () => {
  const first = await office.created<Category>('/categories', { code: 'de', name: 'Moral', colour: 1 });
  expect(first).toMatchObject({ code: 'de', position: 1, retired: false });
  const second = await staff.ofSchool.created<Category>('/scores/categories', {
    ...{ schoolDb, code: 'zhi', name: 'Mind', colour: 2 },
  });
  expect(second.position).toBe(2);
  const change = { code: 'zhi-2', name: 'Intellect', colour: 4, position: 0, retired: true };
  expect(await office.patch(`/categories/${second.id}`, change)).toMatchObject({ status: 200, data: change });
  expect((await retire(second.id, false)).data).toMatchObject({ ...change, retired: false });
  const listed = await staff.ofClass.read<Category[]>(`/scores/categories?schoolDb=${schoolDb}`);
  expect(listed.map(({ id }) => id)).toEqual([second.id, first.id]);
  expect((await teacher.read<{ list: Category[] }>('/categories')).list).toEqual(listed.toReversed());

  const given = { code: 'x', name: 'X', colour: 1 };
  const missing = '/categories/999999999';
  for (const [sent, code] of [
    [office.post('/categories', { ...given, code: 'de' }), 40901],
    [office.patch(`/categories/${second.id}`, { code: 'de' }), 40901],
    [office.post('/categories', { ...given, code: 'with space' }), 40002],
    [office.post('/categories', { ...given, colour: 9 }), 40002],
    [office.patch(missing, { name: 'X' }), 40401],
    [foreignOffice.patch(`/categories/${first.id}`, { name: 'X' }), 40401],
    [gradeHead.post('/categories', given), 40303],
    [teacher.patch(`/categories/${first.id}`, { retired: true }), 40303],
    [office.delete(`/categories/${first.id}`), 40401],
  ] as const) {
    expect((await sent).code).toBe(code);
  }
  for (const by of [staff.ofGrade, staff.ofClass])
    expect((await by.post('/scores/categories', { schoolDb, ...given })).status).toBe(403);
});

it.each([
  ['fiveVirtues', 'zh', ['德育', '智育', '体育', '美育', '劳育']],
  ['pbis', 'en', ['Respectful', 'Responsible', 'Safe']],
])(
  'the preset %s creates all its categories in the language %s, or none',
  async (preset, language, names) => {
    const { schoolDb: db } = await createSampleSchool(admin, `School of ${preset}`);
    const list = () => admin.read<Category[]>(`/scores/categories?schoolDb=${db}`);
    const make = () => admin.post('/scores/categories/preset', { schoolDb: db, preset, language });
    expect((await make()).status).toBe(200);
    const made = await list();
    expect(made.map(({ name }) => name)).toEqual(names);
    const [{ id } = { id: 0 }] = made;
    await admin.patch(`/scores/categories/${id}?schoolDb=${db}`, { code: 'own' });
    expect((await make()).status, 'one code is free, the others are taken').toBe(409);
    expect((await list()).length).toBe(names.length);
  },
);

it('a school has at most 30 categories, also when two are created at once', async () => {
  const { list } = await foreignOffice.read<{ list: unknown[] }>('/categories?limit=100');
  for (let i = list.length; i < 29; i++) await newCategory(foreignOffice);
  const last = () => foreignOffice.post('/categories', { code: `last${++codes}`, name: 'Last', colour: 1 });
  expect((await Promise.all([last(), last()])).map(({ code }) => code).sort()).toEqual([0, 40901]);
});

it('the category of an entry overrides that of the request, which overrides that of the template', async () => {
  const [a, b, c] = [await newCategory(), await newCategory(), await newCategory()].map(({ id }) => id);
  const { id: userId } = await newStudent();
  const { id: templateId } = await newTemplate({ categoryId: a });
  const { id: plain } = await newTemplate({});
  for (const [body, entry, expected] of [
    [{ templateId }, {}, a],
    [{ templateId, categoryId: b }, {}, b],
    [{ templateId, categoryId: b }, { categoryId: c }, c],
    [{ templateId }, { categoryId: null }, null],
    [{ templateId, categoryId: null }, {}, null],
    [{ templateId: plain, categoryId: b }, {}, b],
    [{ scoreChange: 1 }, {}, null],
    [{ scoreChange: 1 }, { categoryId: c }, c],
  ] as const) {
    await office.created('/scores', { ...body, items: [{ userId, ...entry }] });
    await staff.ofClass.created('/scores/batch', { schoolDb, ...body, items: [{ userId, ...entry }] });
    const written = await recordsOf(`userId=${userId}&sortBy=id&order=desc&limit=2`);
    expect([body, entry, written.map(({ categoryId }) => categoryId)]).toEqual([
      ...[body, entry, [expected, expected]],
    ]);
  }
  const alone = { userId, scoreChange: 1, categoryId: a };
  expect(await staff.ofClass.created('/scores/add', { schoolDb, ...alone })).toMatchObject({
    log: { categoryId: a },
  });
  await office.created('/scores', alone);
  expect(await recordsOf(`userId=${userId}&sortBy=id&order=desc&limit=1`)).toMatchObject([{ categoryId: a }]);
});

it('an unknown, foreign or retired category fails its entry with 40002, and stores nothing of it', async () => {
  const [usable, retired] = [await newCategory(), await newCategory()];
  const { list } = await foreignOffice.read<{ list: Category[] }>('/categories');
  const { id: templateId } = await newTemplate({ categoryId: retired.id });
  await retire(retired.id);
  const { id: userId } = await newStudent();
  const items = [retired.id, 999_999_999, list[0]?.id, usable.id].map((categoryId) => ({
    userId,
    categoryId,
  }));
  const { details } = await office.created<BulkScores>('/scores', { scoreChange: 1, items });
  expect(details.map(({ code }) => code)).toEqual([40002, 40002, 40002, 0]);
  expect(details[0]?.reason).toBe(`Category ${retired.id} does not exist or is retired`);
  const internal = await staff.ofClass.created<BulkScores>('/scores/batch', {
    schoolDb,
    scoreChange: 1,
    items,
  });
  expect(internal.details).toMatchObject(details.map(({ code, reason }) => ({ code, reason })));
  const own = { userId, scoreChange: 1, categoryId: retired.id };
  expect((await office.post('/scores', own)).code).toBe(40002);
  expect((await staff.ofClass.post('/scores/add', { schoolDb, ...own })).status).toBe(400);
  const byTemplate = await office.created<BulkScores>('/scores', { templateId, items: [{ userId }] });
  expect(byTemplate.details).toMatchObject([{ code: 40002 }]);
  for (const path of ['/templates', `/templates/${templateId}`]) {
    const body = { name: `T ${++codes}`, scoreChange: 1, categoryId: retired.id };
    expect((await (path === '/templates' ? office.post : office.patch)(path, body)).code).toBe(40002);
  }
  expect((await recordsOf(`userId=${userId}`)).length).toBe(2);
  await retire(retired.id, false);
  await office.created('/scores', own);
  expect((await recordsOf(`userId=${userId}`)).length).toBe(3);
});

it('a record keeps its category: no operation changes it', async () => {
  const { id: categoryId } = await newCategory();
  const id = await office.give(bert.id, 1);
  const body = { schoolDb, ids: [id], note: 'x', categoryId };
  // The internal API ignores unknown fields.
  expect((await staff.ofClass.put('/scores/logs/note', body)).status).toBe(200);
  expect((await office.patch(`/scores/${id}`, { categoryId })).code).toBe(40401);
  expect((await recordsOf(`userId=${bert.id}`))[0]).toMatchObject({ id, categoryId: null });
});

it('a template can get, change and lose its category; earlier points keep theirs', async () => {
  const [a, b] = [await newCategory(), await newCategory()].map(({ id }) => id);
  const { id } = await newTemplate({ categoryId: a });
  const { id: userId } = await newStudent();
  await office.created('/scores', { templateId: id, items: [{ userId }] });
  for (const categoryId of [b, null])
    expect((await office.patch(`/templates/${id}`, { categoryId })).data).toMatchObject({ categoryId });
  expect((await office.patch(`/templates/${id}`, { scoreChange: 3 })).data).toMatchObject({
    categoryId: null,
  });
  expect(await recordsOf(`userId=${userId}`)).toMatchObject([{ categoryId: a }]);
});

it('lists by category, sums of student, class, days and overview, and the student’s own page agree', async () => {
  const world = await createSampleSchool(admin, 'School of sums');
  const by = await world.issue({});
  const [{ students, id: classId }, elsewhere] = world.grades[0].classes;
  const [one, two] = students;
  const [a, b] = [await newCategory(by), await newCategory(by)].map(({ id }) => id) as [number, number];
  const give = (userId: number, scoreChange: number, categoryId: number | null) =>
    by.created('/scores', { userId, scoreChange, categoryId });
  test.clock.set('2026-09-10T08:00:00.000Z');
  await give(one.id, 5, a);
  await give(one.id, -2, a);
  test.clock.set('2026-09-11T08:00:00.000Z');
  const late = await test.signIn();
  await give(one.id, 3, b);
  await give(one.id, 1, null);
  await give(two.id, 4, b);
  await give(elsewhere.students[0].id, 9, null);
  const db = `schoolDb=${world.schoolDb}`;
  const totals = async (query: string) =>
    points(await late.read<CategoryTotals[]>(`/stats/categories?${db}&${query}`));
  const overview = async (query: string) =>
    points((await by.read<{ byCategory: CategoryTotals[] }>(`/stats/overview?${query}`)).byCategory);
  const ofOne = [
    [a, 3, 2],
    [b, 3, 1],
    [null, 1, 1],
  ];
  expect(await totals(`userId=${one.id}`)).toEqual(ofOne);
  const detail = await by.read<{ byCategory: CategoryTotals[] }>(`/students/${one.id}`);
  expect(points(detail.byCategory)).toEqual(ofOne);
  const own = await test.signInStudent(world.schoolDb, one.username, studentPassword);
  const shown = await own.read<CategoryTotals[]>('/student/categories');
  expect(shown).toEqual(detail.byCategory);
  expect(shown.map(({ colour }) => colour)).toEqual([3, 3, null]);
  expect(await own.read('/student/logs')).toMatchObject(
    [null, b, a, a].map((categoryId) => ({ categoryId })),
  );
  const ofClass = [ofOne[0], [b, 7, 2], ofOne[2]];
  expect(await totals(`classId=${classId}`)).toEqual(ofClass);
  expect(await totals('')).toEqual([...ofClass.slice(0, 2), [null, 10, 2]]);
  expect(await overview('')).toEqual(await totals(''));
  expect(await overview('startDate=2026-09-11')).toEqual([
    [b, 7, 2],
    [null, 10, 2],
  ]);
  const until = 'startDate=2026-09-10T08:00:00Z&endDate=2026-09-11T07:59:59Z';
  expect(await overview(until)).toEqual([[a, 3, 2]]);
  const days = async (query: string) =>
    (
      await late.read<{ date: string; categoryId: number; totalScore: number }[]>(
        `/stats/category-days?${db}&${query}`,
      )
    ).map(({ date, categoryId, totalScore }) => [date.slice(-2), categoryId, totalScore]);
  const ofDays = [
    ['10', a, 3],
    ['11', b, 3],
    ['11', null, 1],
  ];
  expect(await days(`userId=${one.id}`)).toEqual(ofDays);
  expect(await days(`classId=${classId}`)).toEqual([ofDays[0], ['11', b, 7], ofDays[2]]);
  expect(await days(`classId=${classId}&days=1`)).toEqual([['11', b, 7], ofDays[2]]);
  for (const [query, count] of [
    [`categoryId=${a}`, 2],
    [`categoryId=${a}&type=deduct`, 1],
    [`categoryId=${b}&userId=${one.id}`, 1],
    [`categoryId=${b}&classId=${classId}`, 2],
    [`categoryId=${a}&startDate=2026-09-11`, 0],
    ['categoryId=999999999', 0],
  ] as const) {
    expect([query, (await by.read<{ total: number }>(`/scores?${query}`)).total]).toEqual([query, count]);
    const internal = await late.get(`/scores/logs?${db}&limit=50&${query.replace('deduct', 'minus')}`);
    expect([query, internal.headers['x-total-count']]).toEqual([query, String(count)]);
  }
});

it('points given while their category is retired come wholly before the retirement, or fail with 40002', async () => {
  const give = (categoryId: number) => () =>
    office.post('/scores', { scoreChange: 1, items: [{ userId: cleo.id, categoryId }] });
  const codeOf = ({ data }: { data: unknown }) => (data as BulkScores).details[0]?.code;
  const before = await newCategory();
  const heldBefore = await LockedRows.inTable(test, 'category', before.id);
  const [given] = await heldBefore.startInOrder(give(before.id), () => retire(before.id));
  expect(codeOf(given)).toBe(0);

  const after = await newCategory();
  const heldAfter = await LockedRows.inTable(test, 'category', after.id);
  const [, late] = await heldAfter.startInOrder(() => retire(after.id), give(after.id));
  expect(codeOf(late)).toBe(40002);

  const during = await newCategory();
  const student = await LockedRows.ofStudent(test, cleo.id);
  const waiting = give(during.id)();
  await student.waitUntilWaiting(1);
  expect((await retire(during.id)).status).toBe(200);
  await student.release();
  expect(codeOf(await waiting)).toBe(40002);
  expect(await recordsOf(`userId=${cleo.id}`)).toMatchObject([{ categoryId: before.id }]);
});
