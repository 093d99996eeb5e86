import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Small files that take long because they start processes or install packages. */
const long = [
  'e2e/src/every-page.broad.test.ts',
  'release/src/artefact.broad.test.ts',
  'client/test/package.broad.test.ts',
  'release/src/new-field/new-field.broad.test.ts',
  'server/test/workers.broad.test.ts',
  'server/test/stop.broad.test.ts',
];

/** Starts slow test files first in their project, because a fresh machine has no measured times. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => long.some((file) => moduleId.endsWith(`/${file}`));
    // A worker changes projects at a cost, so each project stays in one piece.
    const projects = [...new Set(sorted.map(({ project }) => project.name))];
    return projects.flatMap((name) => {
      const own = sorted.filter(({ project }) => project.name === name);
      return [...own.filter(isLong), ...own.filter((file) => !isLong(file))];
    });
  }
}
