import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GuideBlock, guideBlocks } from '../src/features/documentation/guide-blocks.ts';
import { type RunningProduct, runProduct } from './product.ts';

const run = promisify(execFile);

async function blocksOf(document: string): Promise<GuideBlock[]> {
  const path = fileURLToPath(new URL(`../../${document}`, import.meta.url));
  return guideBlocks(await readFile(path, 'utf8'));
}

/** The client as it is here, in the place of the package that the guide installs. */
async function installClient(folder: string): Promise<void> {
  const installed = join(folder, 'node_modules/@classledger/client');
  await mkdir(installed, { recursive: true });
  await writeFile(join(installed, 'package.json'), '{ "type": "module", "exports": "./src/index.ts" }');
  await symlink(fileURLToPath(new URL('../../client/src', import.meta.url)), join(installed, 'src'));
}

/** Runs a block as a reader would who pastes it, in an empty folder. */
async function runBlock({ language, code }: GuideBlock, env: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'classledger-block-'));
  const options = {
    cwd: folder,
    env: { ...env, PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}` },
  };
  try {
    if (language === 'bash') {
      return (await run('bash', ['-c', `set -euo pipefail\n${code}`], options)).stdout;
    }
    await installClient(folder);
    await writeFile(join(folder, 'example.mts'), code);
    return (await run(process.execPath, ['example.mts'], options)).stdout;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const isRunnable = ({ language }: GuideBlock) => language === 'bash' || language === 'ts';

describe('the commands of the integrator’s guide', async () => {
  const blocks = (await blocksOf('docs/integrators-guide.md')).filter(isRunnable);
  let product: RunningProduct;

  beforeAll(async () => {
    product = await runProduct('demo', /whole school/);
  });
  afterAll(() => product.stop());

  it('are there', () => {
    expect(blocks.length).toBeGreaterThan(10);
  });

  for (const [i, block] of blocks.entries()) {
    it(`block ${i + 1} (${block.language}) works as printed on the demo school`, async () => {
      const token = /(cls_\w+) +whole school/.exec(product.output())?.[1] as string;
      const printed = await runBlock(block, { CLASSLEDGER_URL: product.address, CLASSLEDGER_TOKEN: token });
      expect(printed).not.toBe('');
    });
  }
});

describe('the commands of the README', () => {
  it('lead from an empty installation to a working credential', async () => {
    const product = await runProduct('serve', /First administrator/);
    try {
      const password = /with password (\S+)/.exec(product.output())?.[1] as string;
      const [block] = (await blocksOf('README.md')).filter(isRunnable);
      const printed = await runBlock(block as GuideBlock, {
        CLASSLEDGER_URL: product.address,
        ADMIN_PASSWORD: password,
      });
      expect(printed).toMatch(/"studentCount":1\b/);
      expect(printed).toMatch(/Credential: cls_[0-9A-Za-z]{41}\n$/);
    } finally {
      await product.stop();
    }
  });
});
