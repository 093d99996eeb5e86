import { migrationNames } from '../../../server/src/database/migrate.ts';

export interface Edit {
  readonly file: string;
  /** A text that occurs once in the file; undefined for a new file. */
  readonly after?: string | RegExp;
  readonly text: string;
}

const lastMigration = migrationNames.at(-1) as string;
const migration = `${String(Number(lastMigration.slice(0, 4)) + 1).padStart(4, '0')}-nickname`;

/** The recipe "A field of students" of CONTRIBUTING, in its order. */
export const productEdits: readonly Edit[] = [
  {
    file: 'contract/src/fields.ts',
    after: 'export const details = {',
    text: "nickname: is(Nullable(Text), 'How the student wants to be called; null without one.'),",
  },
  {
    file: 'contract/src/fields.ts',
    after: 'export const givenDetails = {',
    text: "nickname: Type.Optional(is(Nullable(Name), 'How the student wants to be called; null: nothing.')),",
  },
  {
    file: 'contract/src/examples.ts',
    after: 'export const exampleDetails = {',
    text: "nickname: 'Xiao Li',",
  },
  {
    file: `server/src/database/migrations/${migration}.ts`,
    text: `import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql\`ALTER TABLE student ADD COLUMN nickname text\`.execute(db);
}
`,
  },
  {
    file: 'server/src/database/migrate.ts',
    after: `/migrations/${lastMigration}.ts';`,
    text: `import { up as nickname } from './migrations/${migration}.ts';`,
  },
  {
    file: 'server/src/database/migrate.ts',
    after: new RegExp(`'${lastMigration}': { up: \\w+ },`),
    text: `'${migration}': { up: nickname },`,
  },
  {
    file: 'server/src/fields/students.ts',
    after: 'export const studentFields = {',
    text: "nickname: { column: 'nickname', ...detail },",
  },
  {
    file: 'server/src/features/documentation/chinese/fields.ts',
    after: 'export const fieldsInChinese: Readonly<Record<string, string>> = {',
    text: `'How the student wants to be called; null without one.': '学生希望的称呼；没有时为 null。',
'How the student wants to be called; null: nothing.': '学生希望的称呼；null 表示没有。',`,
  },
  {
    file: 'web/src/admin/students/import/texts.ts',
    after: "field_cardNumber: ['Card number', '卡号'],",
    text: "field_nickname: ['Nickname', '昵称'],",
  },
];

/** Values in the tests that list every field of a student. */
export const testEdits: readonly Edit[] = [
  {
    file: 'server/src/features/students/students.test.ts',
    after: 'const numbersOf = (name: string) => ({',
    text: "nickname: 'called ' + name,",
  },
  {
    file: 'server/src/features/students/students.test.ts',
    after: "...{ id: expect.any(Number), username: 's1a1', actualName: 's1a1' },",
    text: 'nickname: null,',
  },
  {
    file: 'server/src/features/students/students.test.ts',
    after: "...{ id: expect.any(Number), username: '[a-z]*', actualName: '.+(x)?' },",
    text: 'nickname: null,',
  },
  {
    file: 'server/src/features/students/nickname.test.ts',
    text: `import { expect, it } from 'vitest';
import { openStaffWorld } from '../../../test/administrators.ts';
import { waitForCompleteFeed } from '../../../test/eventually.ts';
import { studentPassword } from '../../../test/test-app.ts';
import { TestImports } from '../../../test/test-imports.ts';

const world = await openStaffWorld();
const { schoolDb } = world.school;
const head = world.staff.ofSchool;
const office = await world.school.issue({});

it('A nickname shows in lists, scores, the feed and the export; upserts and imports change it, an undo restores it', async () => {
  const { cursor } = (await office.get('/changes')).data as { cursor: string };
  const classId = world.places.first.id;
  const { id } = await head.created<{ id: number }>('/users', {
    ...{ schoolDb, classId, username: 'nick', nickname: 'Nick', password: studentPassword },
  });
  const nickname = async () =>
    ((await head.get(\`/users/\${id}?schoolDb=\${schoolDb}\`)).data as { nickname: unknown }).nickname;
  const listed = await office.get(\`/students?classId=\${classId}&keyword=nick\`);
  expect(listed.data).toMatchObject({ list: [{ id, nickname: 'Nick' }] });
  const score = { schoolDb, userId: id, scoreChange: 1, description: 'Homework' };
  expect(await head.created('/scores/add', score)).toMatchObject({ student: { id, nickname: 'Nick' } });
  await waitForCompleteFeed(world.test);
  const { list } = (await office.get(\`/changes?after=\${cursor}\`)).data as { list: unknown[] };
  expect(list).toContainEqual(expect.objectContaining({ record: expect.objectContaining({ id, nickname: 'Nick' }) }));
  const exported = await head.post(\`/users/\${id}/export\`, { schoolDb });
  expect(exported.data).toMatchObject({ account: { nickname: 'Nick' } });

  const upserts = [{ username: 'nick', nickname: 'Nicky' }, { username: 'nina', classId, nickname: 'Nini' }];
  const upserted = await office.put('/students/batch', { batch: upserts });
  expect(upserted.data).toMatchObject({ createdCount: 1, updatedCount: 1, failedCount: 0 });
  expect(await nickname()).toBe('Nicky');
  const created = await office.get('/students?username=nina');
  expect(created.data).toMatchObject({ list: [{ nickname: 'Nini' }] });

  const imports = new TestImports(world.test, schoolDb, head);
  const run = await imports.run([{ username: 'nick', nickname: 'Nico' }]);
  expect(await imports.effects(run.id)).toMatchObject([{ before: { nickname: 'Nicky' }, after: { nickname: 'Nico' } }]);
  expect(await nickname()).toBe('Nico');
  await imports.undo(run.id);
  expect(await nickname()).toBe('Nicky');
  await head.post(\`/users/\${id}/erase\`, { schoolDb });
  expect(await nickname()).toBeNull();
});
`,
  },
];

/** The tests that depend on the list of fields. */
export const provingTests = [
  'server/src/features/students/nickname.test.ts',
  'server/src/features/students/students.test.ts',
  'server/src/features/personal-data/personal-data.test.ts',
  'server/src/features/documentation/chinese',
  'server/src/database/additive-migrations.test.ts',
];
