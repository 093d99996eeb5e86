import { expect, it } from 'vitest';
import { allLoadableFiles, firstLoads, scriptBytes } from './vite/script-sizes.ts';

it.each([
  ['student', 130_000],
  ['public', 135_000],
  ['admin', 135_000],
  ['admin, signed in', 250_000],
] as const)('the first load of %s takes at most %i bytes of script, gzip', (app, bytesMax) => {
  expect(scriptBytes(firstLoads[app])).toBeLessThanOrEqual(bytesMax);
});

it('the start page never runs the administrators’ app', () => {
  const ofAdmin = allLoadableFiles(firstLoads.admin);
  expect(ofAdmin.files).toContain(ofAdmin.start);
  expect(allLoadableFiles(firstLoads.public).files).not.toContain(ofAdmin.start);
});
