import { mkdir, readdir, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../time/clock.ts';
import { BackupError } from './backup-error.ts';
import type { Sink } from './backup-file.ts';
import { draftSuffix, newBackupFile } from './backup-target.ts';

/** Returns a time such as `20261122T030000Z`. */
const formatTime = (at: Date) => at.toISOString().replaceAll(/[-:]|\.\d+/g, '');
const backupNamePattern = /^classledger-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.backup$/;

/** Keeps backups out of the busy time after a start. */
const firstAfterMs = 10 * 60_000;
const retryAfterMs = 3_600_000;
const checkEveryMs = 60_000;
/** An unfinished file of this age was left by a killed process. */
const abandonedAfterMs = 12 * 3_600_000;
/** Free space that is required besides twice the size of the last backup. */
const spareBytes = 256 * 1_048_576;

export interface NightlyBackupOptions {
  /** Absolute. */
  readonly folder: string;
  readonly keep: number;
  /** Minutes after midnight, local time. */
  readonly atMinute: number;
  readonly clock: Clock;
  readonly write: (sink: Sink) => Promise<unknown>;
  /** Receives a promise when a backup begins; the promise resolves to the file. */
  readonly onBackup: (work: Promise<string>) => void;
}

/** Makes a backup if none was made since the last `atMinute`. A computer that slept does so after it wakes. */
export class NightlyBackups {
  readonly #options: NightlyBackupOptions;
  #notBefore: number;
  #work: Promise<unknown> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: NightlyBackupOptions) {
    this.#options = options;
    this.#notBefore = options.clock().getTime() + firstAfterMs;
  }

  async newestAt(): Promise<Date | null> {
    const newest = (await this.#completeBackups()).at(-1);
    return newest === undefined ? null : new Date(timeOf(newest));
  }

  start(): void {
    this.#timer = setInterval(() => void this.backUpIfDue(), checkEveryMs).unref();
  }

  /** Makes a backup if one is due and waits for it. Never rejects. */
  async backUpIfDue(): Promise<void> {
    const work = this.#work.then(async () => {
      if (!(await this.#isDue())) return;
      const backup = this.#makeBackup();
      this.#options.onBackup(backup);
      await backup.catch(() => {
        this.#notBefore = this.#options.clock().getTime() + retryAfterMs;
      });
    });
    this.#work = work.catch(() => {});
    await this.#work;
  }

  /** Stops the timer and waits for an active backup, which the caller has aborted. */
  async end(): Promise<void> {
    clearInterval(this.#timer);
    await this.#work;
  }

  async #isDue(): Promise<boolean> {
    const now = this.#options.clock();
    if (now.getTime() < this.#notBefore) return false;
    const due = new Date(now);
    due.setHours(0, this.#options.atMinute, 0, 0);
    if (due > now) due.setDate(due.getDate() - 1);
    const newest = (await this.#completeBackups()).at(-1);
    return newest === undefined || timeOf(newest) < due.getTime();
  }

  async #makeBackup(): Promise<string> {
    const { folder, keep } = this.#options;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const before = await this.#completeBackups();
    await this.#requireFreeSpace(before.at(-1));
    const file = join(folder, `classledger-${formatTime(this.#options.clock())}.backup`);
    const place = await newBackupFile(file);
    try {
      await this.#options.write(place.sink);
      await place.keep();
    } catch (error) {
      await place.discard();
      throw error;
    }
    // Removes old backups only after the new one is complete, so that their number never drops.
    for (const name of before.slice(0, Math.max(0, before.length + 1 - keep)))
      await rm(join(folder, name), { force: true });
    return file;
  }

  /** Rejects a nearly full disk, because a full one would stop the database. @throws BackupError */
  async #requireFreeSpace(last: string | undefined): Promise<void> {
    const { folder } = this.#options;
    const needed = spareBytes + 2 * (last === undefined ? 0 : (await stat(join(folder, last))).size);
    const { bavail, bsize } = await statfs(folder);
    if (bavail * bsize >= needed) return;
    throw new BackupError(`No backup was made, because the disk of ${folder} is nearly full`);
  }

  /** Removes old unfinished files, and returns the complete ones, oldest first. Ignores dates in the future. */
  async #completeBackups(): Promise<string[]> {
    const { folder } = this.#options;
    const names = await readdir(folder).catch(() => []);
    const now = this.#options.clock().getTime();
    for (const name of names) {
      const isAbandoned =
        name.endsWith(draftSuffix) && timeOf(name.slice(0, -draftSuffix.length)) < now - abandonedAfterMs;
      if (isAbandoned) await rm(join(folder, name), { force: true }).catch(() => {});
    }
    return names.filter((name) => timeOf(name) <= now).sort();
  }
}

/** Returns the time in a backup's name; NaN for other files, so that comparisons are false. */
function timeOf(name: string): number {
  const [, year = Number.NaN, month = 1, day, hour, minute, second] =
    backupNamePattern.exec(name)?.map(Number) ?? [];
  return Date.UTC(year, month - 1, day, hour, minute, second);
}
