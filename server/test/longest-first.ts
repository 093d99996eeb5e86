import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Small files that take long: they start processes and wait for them, or install what is packed. */
const long = [
  'e2e/src/every-page.broad.test.ts',
  'release/src/artefact.broad.test.ts',
  'server/test/crash.broad.test.ts',
  'server/test/documents.broad.test.ts',
  'server/test/stop.broad.test.ts',
];

/**
 * The order of the test files: those that take long come first in their project, so that no worker is alone with one at the
 * end. Vitest knows the time of each from a run before, which a fresh machine has not had, and else goes by size.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => long.some((file) => moduleId.endsWith(`/${file}`));
    // A worker changes from one project to the next at a cost, so each stays in one piece.
    const projects = [...new Set(sorted.map(({ project }) => project.name))];
    return projects.flatMap((name) => {
      const own = sorted.filter(({ project }) => project.name === name);
      return [...own.filter(isLong), ...own.filter((file) => !isLong(file))];
    });
  }
}
