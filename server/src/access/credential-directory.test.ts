import { expect, it } from 'vitest';
import { createSampleSchool, openSchool } from '../../test/test-app.ts';
import { CredentialDirectory } from './credential-directory.ts';

const { test, admin, school } = await openSchool();

it('forgets the credentials that were used longest ago when there are too many', async () => {
  const directory = new CredentialDirectory(test.database.db, { isTrusted: () => true }, { keptMax: 2 });
  const [first, second, third] = await Promise.all([1, 2, 3].map(async () => (await school.issue({})).token));
  const remembered = () => [first, second, third].map((one) => directory.remembered(one as string) !== null);
  await directory.find(first as string);
  await directory.find(second as string);
  expect(directory.remembered(first as string)).toMatchObject({ school: { id: school.id } });
  await directory.find(third as string);
  expect(remembered()).toEqual([true, false, true]);
  await directory.find(second as string);
  expect(remembered()).toEqual([false, true, true]);
});

it('forgets with a change those that it is about, and no others, also when they were read several times', async () => {
  const directory = new CredentialDirectory(test.database.db, { isTrusted: () => true });
  const other = await createSampleSchool(admin, 'Other School');
  const [one, two, theirs] = [await school.issue({}), await school.issue({}), await other.issue({})];
  const all = [one, two, theirs];
  const readAll = () =>
    Promise.all(all.flatMap(({ token }) => [directory.find(token), directory.find(token)]));
  const remembered = () => all.map(({ token }) => directory.remembered(token) !== null);
  const issuerId = (await directory.find(one.token))?.issuerId as number;
  await readAll();
  directory.forget({ credentialId: one.id });
  expect(remembered()).toEqual([false, true, true]);
  await readAll();
  directory.forget({ schoolId: school.id });
  expect(remembered()).toEqual([false, false, true]);
  await readAll();
  directory.forget({ issuerId });
  expect(remembered()).toEqual([false, false, false]);
  await readAll();
  directory.forget(null);
  expect(remembered()).toEqual([false, false, false]);
  await readAll();
  expect(remembered()).toEqual([true, true, true]);
});
