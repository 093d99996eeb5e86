import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { TestClock } from '../../test/test-app.ts';
import { NightlyBackups } from './nightly-backups.ts';

const minute = 60_000;
const hour = 60 * minute;

describe('Nightly backups', () => {
  let folder: string;
  let clock: TestClock;
  let nights: NightlyBackups;
  let made: string[];
  let failures: string[];
  let write: () => Promise<void>;

  beforeEach(async () => {
    folder = join(await mkdtemp(join(tmpdir(), 'classledger-nights-')), 'backups');
    onTestFinished(() => rm(join(folder, '..'), { recursive: true }));
    clock = new TestClock();
    // Two o'clock in the local time of the test.
    clock.set('2026-09-15T00:00:00Z');
    clock.advance((2 * 60 + new Date('2026-09-15T00:00:00Z').getTimezoneOffset()) * minute);
    made = [];
    failures = [];
    write = async () => {};
    nights = new NightlyBackups({
      folder,
      keep: 3,
      atMinute: 3 * 60,
      clock: clock.now,
      write: async (sink) => {
        await sink(Buffer.from('a backup'));
        await write();
      },
      onBackup: (work) => {
        work.then(
          (file) => made.push(file),
          (error: Error) => failures.push(error.message),
        );
      },
    });
  });

  const after = async (milliseconds: number) => {
    clock.advance(milliseconds);
    await nights.backUpIfDue();
  };

  it('nightly backups run ten minutes after the first start, then once daily after the configured time, and once after a longer sleep', async () => {
    await after(9 * minute);
    expect(made).toHaveLength(0);
    await after(minute);
    expect(made).toHaveLength(1);
    await after(40 * minute);
    expect(made).toHaveLength(1);
    await after(11 * minute);
    expect(made).toHaveLength(2);
    await after(22 * hour);
    expect(made).toHaveLength(2);
    await after(2 * hour);
    expect(made).toHaveLength(3);
    expect((await readFile(made[0] as string)).toString()).toBe('a backup');
    expect(((await stat(made[0] as string)).mode & 0o077).toString(8)).toBe('0');
    expect(((await stat(folder)).mode & 0o077).toString(8)).toBe('0');
    // The machine sleeps for several nights.
    await after(80 * hour);
    await after(minute);
    expect(made).toHaveLength(4);
  });

  it('nightly backups keep the newest files and delete only backup files that they made', async () => {
    await after(10 * minute);
    await writeFile(join(folder, 'classledger-of-mine.backup'), '');
    await writeFile(join(folder, 'classledger-20200101T000000Z.backup.unfinished'), '');
    for (let night = 0; night < 5; night++) await after(24 * hour);
    const names = made.slice(-3).map((file) => file.slice(folder.length + 1));
    expect((await readdir(folder)).sort()).toEqual([...names, 'classledger-of-mine.backup'].sort());
  });

  it('nightly backups continue despite an unfinished file that cannot be removed and a backup file dated in the future', async () => {
    // Root may remove any file, so a folder acts as the file that cannot be removed.
    await mkdir(join(folder, 'classledger-20200101T000000Z.backup.unfinished'), { recursive: true });
    expect(await nights.newestAt()).toBe(null);
    await writeFile(join(folder, 'classledger-20990101T000000Z.backup'), '');
    for (const pause of [10 * minute, 24 * hour]) {
      await after(pause);
      expect((await nights.newestAt())?.getTime()).toBe(clock.now().getTime());
    }
    expect(made).toHaveLength(2);
  });

  it('a failed nightly backup is reported, leaves no file, deletes no older backup, and is retried after an hour', async () => {
    for (let night = 0; night < 4; night++) await after(24 * hour);
    const before = await readdir(folder);
    write = async () => {
      throw new Error('the disk is full');
    };
    await after(24 * hour);
    await after(59 * minute);
    expect(failures).toEqual(['the disk is full']);
    expect(await readdir(folder)).toEqual(before);
    write = async () => {};
    await after(minute);
    expect(made).toHaveLength(5);
  });
});
