import { decodeText } from '../spreadsheets/decode-text.ts';
import { unzipSync } from '../spreadsheets/zip-without-workers.ts';
import { commonColumns } from './roster-files.ts';

type RosterFault =
  | 'tooLarge'
  | 'noZip'
  | 'noRoster'
  | 'version'
  | 'fileTwice'
  | 'fileMissing'
  | 'columnMissing'
  | 'text';

export class UnreadableRoster extends Error {
  readonly fault: RosterFault;
  /** The file, version or column that has the fault. */
  readonly about: string;

  constructor(fault: RosterFault, about = '') {
    super(fault);
    this.fault = fault;
    this.about = about;
  }
}

export class RosterTable {
  readonly #columns: ReadonlyMap<string, number>;
  readonly rows: readonly (readonly string[])[];

  constructor(columns: ReadonlyMap<string, number>, rows: readonly (readonly string[])[]) {
    this.#columns = columns;
    this.rows = rows;
  }

  has(column: string): boolean {
    return this.#columns.has(column);
  }

  cell(row: readonly string[], column: string): string {
    return row[this.#columns.get(column) ?? -1] ?? '';
  }

  cells(row: readonly string[], column: string): string[] {
    return this.cell(row, column)
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '');
  }
}

/** The files that say which person is in which class. A missing optional file is null. */
export interface Roster {
  readonly version: '1.1' | '1.2';
  readonly orgs: RosterTable;
  readonly classes: RosterTable;
  readonly users: RosterTable;
  readonly enrollments: RosterTable;
  /** Null in OneRoster 1.1, where the users file has a role column. */
  readonly roles: RosterTable | null;
  readonly courses: RosterTable | null;
  /** True when at least one file does not state its encoding. */
  readonly isGuess: boolean;
}

const requiredColumns: Readonly<Record<string, readonly string[]>> = {
  manifest: ['propertyName', 'value'],
  orgs: ['sourcedId', 'name', 'type'],
  classes: ['sourcedId', 'title', 'schoolSourcedId'],
  users: ['sourcedId', 'givenName', 'familyName'],
  enrollments: ['classSourcedId', 'userSourcedId', 'role'],
  roles: ['userSourcedId', 'role', 'orgSourcedId'],
  courses: ['sourcedId', 'grades'],
};

const archiveBytesMax = 50 * 1024 * 1024;
/** A district has several hundred thousand enrollments of about 150 bytes. */
const fileBytesMax = 100 * 1024 * 1024;
/** All files are in memory at once, both as bytes and as text. */
const unpackedBytesMax = 200 * 1024 * 1024;
const rowsMax = 500_000;

/** Returns the roster file that a path in the archive names; null for other files and copies that macOS adds. */
function fileOf(path: string): string | null {
  if (/(?:^|\/)(?:__MACOSX\/|\._)/.test(path)) return null;
  const name = path.slice(path.lastIndexOf('/') + 1);
  const base = name.endsWith('.csv') ? name.slice(0, -'.csv'.length) : '';
  return Object.hasOwn(requiredColumns, base) ? base : null;
}

/** Reads OneRoster 1.2 or 1.1 in CSV. Refuses files that are too large before unpacking. @throws UnreadableRoster */
export async function readRoster(file: Blob): Promise<Roster> {
  if (file.size > archiveBytesMax) throw new UnreadableRoster('tooLarge');
  const files = unpack(new Uint8Array(await file.arrayBuffer()));
  const { default: papa } = await import('papaparse');
  let isGuess = false;
  const table = (name: string): RosterTable | null => {
    const bytes = files.get(name);
    if (!bytes) return null;
    const decoded = decode(bytes, name);
    isGuess ||= decoded.isGuess;
    return tableOf(name, papa.parse<string[]>(decoded.text, { skipEmptyLines: 'greedy' }).data);
  };
  const required = (name: string): RosterTable => {
    const found = table(name);
    if (!found) throw new UnreadableRoster(name === 'manifest' ? 'noRoster' : 'fileMissing', `${name}.csv`);
    return found;
  };
  const version = versionOf(required('manifest'));
  const users = required('users');
  return {
    version,
    orgs: required('orgs'),
    classes: required('classes'),
    users,
    enrollments: required('enrollments'),
    roles: users.has('role') ? table('roles') : required('roles'),
    courses: table('courses'),
    isGuess,
  };
}

function unpack(bytes: Uint8Array): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  const seen = new Set<string>();
  let unpackedBytes = 0;
  let unpacked: Record<string, Uint8Array>;
  try {
    unpacked = unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        const file = fileOf(name);
        if (file === null) return false;
        if (originalSize > fileBytesMax) throw new UnreadableRoster('tooLarge', `${file}.csv`);
        if (seen.has(file)) throw new UnreadableRoster('fileTwice', `${file}.csv`);
        seen.add(file);
        unpackedBytes += originalSize;
        if (unpackedBytes > unpackedBytesMax) throw new UnreadableRoster('tooLarge', `${file}.csv`);
        return true;
      },
    });
  } catch (error) {
    throw error instanceof UnreadableRoster ? error : new UnreadableRoster('noZip');
  }
  for (const [path, content] of Object.entries(unpacked)) files.set(fileOf(path) ?? '', content);
  return files;
}

function decode(bytes: Uint8Array, name: string) {
  try {
    return decodeText(bytes);
  } catch {
    throw new UnreadableRoster('text', `${name}.csv`);
  }
}

function tableOf(name: string, [header = [], ...rows]: readonly (readonly string[])[]): RosterTable {
  if (rows.length > rowsMax) throw new UnreadableRoster('tooLarge', `${name}.csv`);
  const columns = new Map<string, number>();
  header.forEach((title, index) => {
    const column = title.replace(/^\uFEFF/, '').trim();
    if (!columns.has(column)) columns.set(column, index);
  });
  const missing = requiredColumns[name]?.find((column) => !columns.has(column));
  if (missing !== undefined) throw new UnreadableRoster('columnMissing', `${name}.csv: ${missing}`);
  return new RosterTable(
    columns,
    rows.map((cells) => cells.map((cell) => cell.trim())),
  );
}

function versionOf(manifest: RosterTable): Roster['version'] {
  const row = manifest.rows.find((cells) => manifest.cell(cells, 'propertyName') === 'oneroster.version');
  const version = row ? manifest.cell(row, 'value') : '';
  if (version === '1.1' || version === '1.2') return version;
  throw new UnreadableRoster('version', version);
}

/** Returns whether the row says that its object was deleted. OneRoster 1.0 called that status `inactive`. */
export function isToBeDeleted(table: RosterTable, row: readonly string[]): boolean {
  const status = table.cell(row, commonColumns[1]).toLowerCase();
  return status === 'tobedeleted' || status === 'inactive';
}
