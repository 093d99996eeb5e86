import { BackupError } from './backup-error.ts';

export interface Manifest {
  readonly product: string;
  /** Time of the snapshot, by the database's clock. */
  readonly createdAt: string;
  readonly migrations: readonly string[];
  /** Null for a whole installation. Older backups lack `createdAt`. */
  readonly school: { readonly id: number; readonly name: string; readonly createdAt?: string } | null;
  /** In the order in which they are restored. */
  readonly tables: readonly TableInBackup[];
}

export interface TableInBackup {
  readonly name: string;
  readonly columns: readonly string[];
  /** First and last day (UTC) of the rows; null without daily partitions or rows. */
  readonly days: { readonly first: string; readonly last: string } | null;
  /** The identity column and its last generated value; null if unknown. */
  readonly identity: { readonly column: string; readonly last: number | null } | null;
}

type Unknown = Record<string, unknown>;

const isObject = (value: unknown): value is Unknown => typeof value === 'object' && value !== null;
const isText = (value: unknown): value is string => typeof value === 'string' && value.length <= 1_000;
const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText);
const isId = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0;

const isSchool = (value: unknown) =>
  isObject(value) &&
  isId(value.id) &&
  isText(value.name) &&
  (value.createdAt === undefined || isTimestamp(value.createdAt));
const isIdentity = (value: unknown) =>
  isObject(value) && isText(value.column) && (value.last === null || isId(value.last));
const isTimestamp = (value: unknown) =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value);
const isDay = (value: unknown) => typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value);
const isDays = (value: unknown) => isObject(value) && isDay(value.first) && isDay(value.last);
const isTable = (value: unknown) =>
  isObject(value) &&
  isText(value.name) &&
  isTexts(value.columns) &&
  (value.days === null || isDays(value.days)) &&
  (value.identity === null || isIdentity(value.identity));

/** Checks the form of a manifest, but not whether its tables and columns exist. @throws BackupError */
export function readManifest(header: Record<string, unknown>): Manifest {
  const isValid =
    header.kind === 'manifest' &&
    isText(header.product) &&
    isTimestamp(header.createdAt) &&
    isTexts(header.migrations) &&
    (header.school === null || isSchool(header.school)) &&
    Array.isArray(header.tables) &&
    header.tables.every(isTable);
  if (!isValid) throw new BackupError('The backup is damaged (its manifest cannot be understood)');
  return header as unknown as Manifest;
}
