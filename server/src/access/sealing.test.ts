import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, it } from 'vitest';
import { installationSecret } from './installation-secret.ts';
import { Sealing } from './sealing.ts';

const folder = await mkdtemp(join(tmpdir(), 'classledger-secret-'));
afterAll(() => rm(folder, { recursive: true }));

const secret = 'a secret of the installation, long enough';
const sealingWith = (key: string) => {
  const reported: string[] = [];
  return {
    sealing: new Sealing(
      () => key,
      (what) => reported.push(what),
    ),
    reported,
  };
};

it('encrypted text differs every time, and is decrypted unchanged with the same secret, also Chinese characters', () => {
  const seal = () => sealingWith(secret).sealing.seal('one-time codes', '7', '密 secret');
  const sealed = seal();
  expect(sealed.toString('latin1')).not.toContain('secret');
  expect(seal()).not.toEqual(sealed);
  expect(sealingWith(secret).sealing.unseal('one-time codes', '7', sealed)).toBe('密 secret');
});

it('encrypted text cannot be read with another secret, purpose or row, or after a change, and the reason is reported', () => {
  const { sealing, reported } = sealingWith(secret);
  const other = sealingWith('another secret of the installation, long too');
  const sealed = sealing.seal('one-time codes', '7', 'plain');
  const changed = Buffer.from(sealed);
  changed.writeUInt8(changed.readUInt8(changed.length - 1) ^ 1, changed.length - 1);
  expect(other.sealing.unseal('one-time codes', '7', sealed)).toBeNull();
  expect(other.reported).toEqual([expect.stringMatching(/^A value sealed for one-time codes .*secret\.key/)]);
  expect(sealing.unseal('client secrets', '7', sealed)).toBeNull();
  expect(sealing.unseal('one-time codes', '8', sealed)).toBeNull();
  expect(sealing.unseal('one-time codes', '7', changed)).toBeNull();
  expect(sealing.unseal('one-time codes', '7', sealed.subarray(0, 5))).toBeNull();
  expect(reported).toHaveLength(4);
});

it('verify returns signed text, but not after a change, for another purpose or with another secret', () => {
  const { sealing } = sealingWith(secret);
  const signed = sealing.sign('device cookies', 'v1.some-text');
  expect(sealing.verify('device cookies', signed)).toBe('v1.some-text');
  for (const forged of ['', '.', 'v1.some-text', `w${signed.slice(1)}`, `${signed}A`, signed.slice(0, -2)]) {
    expect(sealing.verify('device cookies', forged)).toBeNull();
  }
  expect(sealing.verify('client secrets', signed)).toBeNull();
  expect(sealingWith(`${secret}!`).sealing.verify('device cookies', signed)).toBeNull();
});

it('the secret of the installation is the setting if there is one, without a file', async () => {
  expect(installationSecret(secret, join(folder, 'unused'))).toBe(secret);
  expect(await readdir(folder)).toEqual([]);
});

it('parallel processes create one secret file, readable by its owner only', async () => {
  const shared = join(folder, 'new', 'data');
  const script = `
      import { installationSecret } from ${JSON.stringify(join(import.meta.dirname, 'installation-secret.ts'))};
      console.log(installationSecret(null, ${JSON.stringify(shared)}));`;
  const run = () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
  const printed = await Promise.all([run(), run(), run()]);
  const kept = installationSecret(null, shared);
  expect(printed.map(({ stdout }) => stdout.trim())).toEqual([kept, kept, kept]);
  expect(await readdir(shared)).toEqual(['secret.key']);
  const file = join(shared, 'secret.key');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect((await readFile(file, 'utf8')).trim()).toMatch(/^[\w-]{43}$/);
});

it('a damaged secret file is not replaced', async () => {
  await writeFile(join(folder, 'secret.key'), '\n');
  expect(() => installationSecret(null, folder)).toThrow('holds no secret');
});
