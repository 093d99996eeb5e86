import { relative } from 'node:path';
import { DefaultReporter, type TestModule, type TestSpecification } from 'vitest/node';

interface Area {
  readonly name: string;
  filesLeft: number;
  files: number;
  tests: number;
  failed: number;
  milliseconds: number;
}

/** Prints a line per area after its last file, failures at once, and the slowest files at the end. */
export class AreaReporter extends DefaultReporter {
  readonly #areas = new Map<string, Area>();
  readonly #files: { readonly name: string; readonly milliseconds: number }[] = [];

  override onTestRunStart(specifications: readonly TestSpecification[]): void {
    super.onTestRunStart(specifications);
    this.#areas.clear();
    this.#files.length = 0;
    for (const { moduleId } of specifications) {
      const area = this.#areaOf(moduleId);
      area.files += 1;
      area.filesLeft += 1;
    }
  }

  override onTestRunEnd(...[modules, errors, reason]: Parameters<DefaultReporter['onTestRunEnd']>): void {
    const slowest = this.#files.toSorted((a, b) => b.milliseconds - a.milliseconds).slice(0, 10);
    if (this.#files.length > slowest.length) {
      this.log('\n Slowest files');
      for (const { name, milliseconds } of slowest) this.log(` ${seconds(milliseconds)}  ${name}`);
    }
    super.onTestRunEnd(modules, errors, reason);
  }

  protected override printTestModule(module: TestModule): void {
    const tests = [...module.children.allTests()];
    const isFailed = module.state() === 'failed';
    if (isFailed) super.printTestModule(module);
    const { duration, collectDuration } = module.diagnostic();
    const milliseconds = duration + collectDuration;
    this.#files.push({ name: relative(this.ctx.config.root, module.moduleId), milliseconds });
    const area = this.#areaOf(module.moduleId);
    area.filesLeft -= 1;
    area.tests += tests.length;
    area.milliseconds += milliseconds;
    if (isFailed) area.failed += 1;
    if (area.filesLeft > 0) return;
    const result = area.failed === 0 ? '✓' : `✗ ${area.failed} of`;
    const counts = `${area.files} files, ${area.tests} tests`;
    this.log(` ${seconds(area.milliseconds)}  ${result} ${area.name}: ${counts}`);
  }

  #areaOf(moduleId: string): Area {
    const folders = relative(this.ctx.config.root, moduleId).split(/[\\/]/).slice(0, -1);
    const name = folders.filter((folder) => folder !== 'src').slice(0, folders.includes('features') ? 3 : 2);
    const key = name.join('/');
    const area = this.#areas.get(key) ?? {
      name: key,
      filesLeft: 0,
      files: 0,
      tests: 0,
      failed: 0,
      milliseconds: 0,
    };
    this.#areas.set(key, area);
    return area;
  }
}

const seconds = (milliseconds: number) => `${(milliseconds / 1_000).toFixed(1).padStart(6)} s`;
