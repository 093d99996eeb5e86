import { expect, it } from 'vitest';
import { allLoadableFiles, firstLoads, scriptBytes } from './vite/script-sizes.ts';

it.each([
  ['student', 150_000],
  ['public', 150_000],
  ['admin', 150_000],
  ['admin, signed in', 300_000],
] as const)('the first load of %s takes at most %i bytes of script, gzip', (app, bytesMax) => {
  expect(scriptBytes(firstLoads[app])).toBeLessThanOrEqual(bytesMax);
});

it('the start page never runs the administrators’ app', () => {
  const ofAdmin = allLoadableFiles(firstLoads.admin);
  expect(ofAdmin.files).toContain(ofAdmin.start);
  expect(allLoadableFiles(firstLoads.public).files).not.toContain(ofAdmin.start);
});
