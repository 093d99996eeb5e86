import { execFile } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { permissions } from '@classledger/contract';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { connectDatabase } from '../src/database/connect.ts';
import { loadSchool } from '../src/demo/load-school.ts';
import { ensureFirstAdmin } from '../src/features/administrators/operator-access.ts';
import { eventually } from './eventually.ts';
import { type GuideBlock, splitGuideBlocks } from './guide-blocks.ts';
import { createDatabase, databaseUrl } from './own-database.ts';
import { newFolder, removeFolder, ServerProcess } from './server-process.ts';

const run = promisify(execFile);

async function blocksOf(document: string): Promise<GuideBlock[]> {
  const path = fileURLToPath(new URL(`../../${document}`, import.meta.url));
  return splitGuideBlocks(await readFile(path, 'utf8'));
}

async function inFolder(work: (folder: string) => Promise<string>): Promise<string> {
  const folder = newFolder();
  return work(folder).finally(() => removeFolder(folder));
}

/** Finds a Node.js 20 on this machine, the oldest version that the guide supports. */
async function findNode20(): Promise<string | null> {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const node = join(folder, 'node');
    const { stdout } = await run(node, ['--version']).catch(() => ({ stdout: '' }));
    if (stdout.startsWith('v20.')) return node;
  }
  return null;
}
const node20 = await findNode20();

/** Runs the JavaScript of a block as a module, as `npx tsx` would. */
const runOnNode20 = (node: string, { code }: GuideBlock, env: Record<string, string>) =>
  inFolder(async (cwd) => {
    await writeFile(join(cwd, 'example.mjs'), stripTypeScriptTypes(code));
    return (await run(node, ['example.mjs'], { cwd, env })).stdout;
  });

/** Links the client of this repository in place of the package that the guide installs. */
async function installClient(folder: string): Promise<void> {
  const installed = join(folder, 'node_modules/@classledger/client');
  await mkdir(installed, { recursive: true });
  await writeFile(join(installed, 'package.json'), '{ "type": "module", "exports": "./src/index.ts" }');
  await symlink(fileURLToPath(new URL('../../client/src', import.meta.url)), join(installed, 'src'));
}

const runBlock = ({ language, code }: GuideBlock, env: Record<string, string>) =>
  inFolder(async (cwd) => {
    const PATH = `${dirname(process.execPath)}${delimiter}${process.env.PATH}`;
    const options = { cwd, env: { ...env, PATH } };
    if (language === 'bash') {
      return (await run('bash', ['-c', `set -euo pipefail\n${code}`], options)).stdout;
    }
    await installClient(cwd);
    await writeFile(join(cwd, 'example.mts'), code);
    return (await run(process.execPath, ['example.mts'], options)).stdout;
  });

/** Starts a command of the product on a database, and waits until it has printed `until`. */
async function runProduct(command: 'serve' | 'demo', database: string, folder: string, until: RegExp) {
  const settings = { DATABASE_URL: databaseUrl(database), DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'error' };
  const product = new ServerProcess(settings, folder, command);
  await product.ready();
  await eventually('it has printed that', () => until.test(product.stdout));
  return product;
}

const isRunnable = ({ language }: GuideBlock) => language === 'bash' || language === 'ts';

describe('the commands of the integrator’s guide', async () => {
  const blocks = (await blocksOf('docs/integrators-guide.md')).filter(isRunnable);
  const folder = newFolder();
  let product: ServerProcess;
  const env = () => ({
    CLASSLEDGER_URL: product.address as string,
    CLASSLEDGER_TOKEN: /(cls_\w+) +whole school/.exec(product.stdout)?.[1] as string,
  });

  beforeAll(async () => {
    const database = await createDatabase('migrated');
    const connection = connectDatabase({ ...inject('postgres'), database });
    // The command would load many more records.
    await ensureFirstAdmin(connection.db, 'admin', null, new Date());
    await loadSchool(connection.db, new Date(), 3_000);
    await connection.end();
    product = await runProduct('demo', database, folder, /whole school/);
  });
  afterAll(async () => {
    expect(await product.stop()).toEqual({ code: 0, signal: null });
    await removeFolder(folder);
  });

  it('include more than ten runnable blocks', () => {
    expect(blocks.length).toBeGreaterThan(10);
  });

  it.each(blocks)(
    'block %# ($language) runs on the demo school without an error, and prints something',
    async (block) => {
      expect(await runBlock(block, env())).not.toBe('');
    },
  );

  const alone = blocks.filter(({ language, code }) => language === 'ts' && !code.includes('@classledger/'));
  it.skipIf(node20 === null).each(alone.map((block, i) => [i + 1, block] as const))(
    'TypeScript block %i without the client works on Node.js 20',
    async (_, block) => {
      expect(await runOnNode20(node20 as string, block, env())).not.toBe('');
    },
  );
});

it('the commands of the README lead from an empty installation to a working credential', async () => {
  const folder = newFolder();
  const database = await createDatabase('migrated');
  const product = await runProduct('serve', database, folder, /First administrator/);
  try {
    const password = /with password (\S+)/.exec(product.stdout)?.[1] as string;
    const [block] = (await blocksOf('README.md')).filter(isRunnable);
    const printed = await runBlock(block as GuideBlock, {
      CLASSLEDGER_URL: product.address as string,
      ADMIN_PASSWORD: password,
    });
    expect(printed).toMatch(/"studentCount":1\b/);
    expect(printed).toMatch(/\nCredential: cls_[0-9A-Za-z]{41}\n$/);
    // The credential must carry a reader through the guide, so it has every permission.
    const [token = ''] = /cls_\w+/.exec(printed) ?? [];
    const answer = await fetch(`${product.address}/api/v1/ping`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const { data } = (await answer.json()) as { data: { token: { scopes: string[] } } };
    expect(data.token.scopes.sort()).toEqual(permissions.map(({ name }) => name).sort());
  } finally {
    expect(await product.stop()).toEqual({ code: 0, signal: null });
    await removeFolder(folder);
  }
});
