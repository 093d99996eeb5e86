import { expect, it } from 'vitest';
import { createSampleSchool, openSchool } from '../../test/test-app.ts';
import { CredentialDirectory } from './credential-directory.ts';

const { test, admin, school } = await openSchool();

it('the credential cache evicts the least recently used credentials when it is full', async () => {
  const directory = new CredentialDirectory(test.database.db, { isCacheValid: () => true }, { cacheMax: 2 });
  const [first, second, third] = await Promise.all([1, 2, 3].map(async () => (await school.issue({})).token));
  const remembered = () => [first, second, third].map((one) => directory.findCached(one as string) !== null);
  await directory.find(first as string);
  await directory.find(second as string);
  expect(directory.findCached(first as string)).toMatchObject({ school: { id: school.id } });
  await directory.find(third as string);
  expect(remembered()).toEqual([true, false, true]);
  await directory.find(second as string);
  expect(remembered()).toEqual([false, true, true]);
});

it('the credential cache evicts exactly the credentials that a change affects, even after repeated reads', async () => {
  const directory = new CredentialDirectory(test.database.db, { isCacheValid: () => true });
  const other = await createSampleSchool(admin, 'Other School');
  const [one, two, theirs] = [await school.issue({}), await school.issue({}), await other.issue({})];
  const all = [one, two, theirs];
  const readAll = () =>
    Promise.all(all.flatMap(({ token }) => [directory.find(token), directory.find(token)]));
  const remembered = () => all.map(({ token }) => directory.findCached(token) !== null);
  const issuerId = (await directory.find(one.token))?.issuerId as number;
  await readAll();
  directory.evictAffected({ credentialId: one.id });
  expect(remembered()).toEqual([false, true, true]);
  await readAll();
  directory.evictAffected({ schoolId: school.id });
  expect(remembered()).toEqual([false, false, true]);
  await readAll();
  directory.evictAffected({ issuerId });
  expect(remembered()).toEqual([false, false, false]);
  await readAll();
  directory.evictAffected(null);
  expect(remembered()).toEqual([false, false, false]);
  await readAll();
  expect(remembered()).toEqual([true, true, true]);
});
