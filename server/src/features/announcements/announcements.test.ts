import type { Announcement } from '@classledger/contract';
import { beforeEach, expect, it } from 'vitest';
import { startTestApp } from '../../../test/test-app.ts';

const test = await startTestApp();
const admin = await test.signIn();

beforeEach(async () => {
  await test.database.pool.query('DELETE FROM announcement');
});

const announce = (body: object = {}) =>
  admin.created<Announcement>('/announcements', { title: 'News', content: '<p>x</p>', ...body });
const publicTitles = async (query = '') =>
  (await test.anonymous.internal.read<Announcement[]>(`/announcements${query}`)).map(({ title }) => title);
const allTitles = async () =>
  (await admin.read<Announcement[]>('/announcements/admin')).map(({ title }) => title);

it('an announcement is of type info and active by default, with a title of up to 200 and content of up to 50,000 characters', async () => {
  const at = test.clock.now().toISOString();
  const made = await announce({ title: ' New term ', content: '<p>Points start again.</p>' });
  const text = { title: 'New term', content: '<p>Points start again.</p>' };
  const times = { createdAt: at, updatedAt: at };
  expect(made).toEqual({ id: expect.any(Number), ...text, type: 'info', active: 1, ...times });
  const longest = { title: 'x'.repeat(200), content: '学'.repeat(50_000) };
  for (const type of ['info', 'warning', 'success', 'error']) {
    const given = { ...longest, type };
    expect(await announce({ ...given, active: false })).toMatchObject({ ...given, active: 0 });
  }
});

it('an announcement changes only in the named fields, with a new updatedAt', async () => {
  const made = await announce();
  test.clock.advance(60_000);
  const answer = await admin.patch(`/announcements/${made.id}`, { title: 'Changed', type: 'warning' });
  const updatedAt = test.clock.now().toISOString();
  expect(answer).toMatchObject({
    status: 200,
    data: { ...made, title: 'Changed', type: 'warning', updatedAt },
  });
  expect(await admin.patch(`/announcements/${made.id}`, {})).toMatchObject({ status: 400 });
  expect(await admin.patch('/announcements/999999', { title: 'x' })).toMatchObject({ status: 404 });
});

it.each([
  ['an empty title', { title: ' ' }],
  ['content of 50,001 characters', { content: 'x'.repeat(50_001) }],
  ['content of blanks only', { content: '<p>&nbsp;<br></p>' }],
  ['content that sanitising empties', { content: '<script>alert(1)</script>' }],
])('an announcement is rejected with %s', async (_what, body) => {
  const answer = await admin.post('/announcements', { title: 'News', content: '<p>x</p>', ...body });
  expect(answer).toMatchObject({ status: 400, success: false, data: null });
  expect(await allTitles()).toEqual([]);
  const { id } = await announce();
  expect(await admin.patch(`/announcements/${id}`, body)).toMatchObject({ status: 400 });
});

it('announcements are public when active, newest first; super administrators see all', async () => {
  const first = await announce({ title: 'first' });
  await announce({ title: 'hidden', active: 0 });
  await announce({ title: 'third', active: true });
  expect(await publicTitles()).toEqual(['third', 'first']);
  expect(await allTitles()).toEqual(['third', 'hidden', 'first']);
  await admin.patch(`/announcements/${first.id}`, { active: 0 });
  expect(await publicTitles()).toEqual(['third']);
  await admin.patch(`/announcements/${first.id}`, { active: true });
  expect(await publicTitles()).toEqual(['third', 'first']);
});

const mixed =
  '<p onclick="x()">Hi <b>you</b></p><img src="https://evil.example/seen.png"><script>x()</script>';
const harmless = '<p>Hi <b>you</b></p>';

it.each([
  ['<', 'x<'.repeat(25_000)],
  ['elements', `x${'<b>'.repeat(16_600)}`],
  ['>', `x${'>'.repeat(49_999)}`],
  ['ampersands', `x${'&'.repeat(49_999)}`],
])(
  'an announcement of 50,000 characters with mostly %s is rejected before sanitising',
  async (_what, content) => {
    const refused = { status: 400, message: expect.stringContaining('<, > and &') };
    expect(await admin.post('/announcements', { title: 'x', content })).toMatchObject(refused);
    expect(await admin.post('/announcements/preview', { content })).toMatchObject(refused);
  },
);

it.each([
  ['a table of digits', `<table>${'<tr><td>1</td><td>2</td></tr>'.repeat(1_720)}</table>`],
  ['paragraphs of a letter', '<p>x</p>'.repeat(6_250)],
  ['lines', 'x<br>'.repeat(10_000)],
  ['entities', '&lt;x'.repeat(10_000)],
])('an announcement may consist of the smallest useful parts: %s', async (_what, content) => {
  expect(content.length).toBeLessThanOrEqual(50_000);
  expect((await admin.post('/announcements/preview', { content })).status).toBe(200);
});

it('the HTML of an announcement is sanitised at creation and at every change, as the preview shows without storing', async () => {
  const preview = await admin.post('/announcements/preview', { content: mixed });
  expect(preview).toMatchObject({ status: 200, data: { content: harmless } });
  const blank = await admin.post('/announcements/preview', { content: '<script></script>' });
  expect(blank).toMatchObject({ status: 400 });
  expect(await allTitles()).toEqual([]);
  const { id, content } = await announce({ content: mixed });
  expect(content).toBe(harmless);
  const changed = await admin.patch(`/announcements/${id}`, { content: `${mixed}<p>more</p>` });
  expect((changed.data as Announcement).content).toBe(`${harmless}<p>more</p>`);
  expect(await test.rows('SELECT content FROM announcement')).toEqual([
    { content: `${harmless}<p>more</p>` },
  ]);
});
