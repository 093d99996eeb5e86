import { decodeText } from '../spreadsheets/decode-text.ts';
import { unzipSync } from '../spreadsheets/zip-without-workers.ts';

type RosterFault =
  | 'tooLarge'
  | 'noZip'
  | 'noRoster'
  | 'noSchool'
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

/** A row of a file: its cells by the name of their column. A missing column is undefined. */
type RosterRow = Readonly<Record<string, string | undefined>>;

/** The files that say which person is in which class. A missing optional file has no rows. */
export interface Roster {
  readonly version: '1.1' | '1.2';
  readonly orgs: readonly RosterRow[];
  readonly classes: readonly RosterRow[];
  readonly users: readonly RosterRow[];
  readonly enrollments: readonly RosterRow[];
  /** Optional in OneRoster 1.1, where the users file has a role column. */
  readonly roles: readonly RosterRow[];
  readonly courses: readonly RosterRow[];
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
  const optional = (name: string): RosterTable => {
    const bytes = files.get(name);
    if (!bytes) return { columns: new Map(), rows: [] };
    const decoded = decode(bytes, name);
    isGuess ||= decoded.isGuess;
    return tableOf(name, papa.parse<string[]>(decoded.text, { skipEmptyLines: 'greedy' }).data);
  };
  const required = (name: string): RosterTable => {
    if (files.has(name)) return optional(name);
    throw new UnreadableRoster(name === 'manifest' ? 'noRoster' : 'fileMissing', `${name}.csv`);
  };
  const version = versionOf(required('manifest'));
  const users = required('users');
  return {
    version,
    orgs: required('orgs').rows,
    classes: required('classes').rows,
    users: users.rows,
    enrollments: required('enrollments').rows,
    roles: (users.columns.has('role') ? optional : required)('roles').rows,
    courses: optional('courses').rows,
    isGuess,
  };
}

function unpack(bytes: Uint8Array): Map<string, Uint8Array> {
  const paths = new Map<string, string>();
  let left = unpackedBytesMax;
  const isNeeded = (part: { readonly name: string; readonly originalSize: number }) => {
    const file = fileOf(part.name);
    if (file === null) return false;
    left -= part.originalSize;
    if (part.originalSize > fileBytesMax || left < 0) throw new UnreadableRoster('tooLarge', `${file}.csv`);
    if (paths.has(file)) throw new UnreadableRoster('fileTwice', `${file}.csv`);
    paths.set(file, part.name);
    return true;
  };
  try {
    const unpacked = unzipSync(bytes, { filter: isNeeded });
    return new Map([...paths].map(([file, path]) => [file, unpacked[path] ?? new Uint8Array()]));
  } catch (error) {
    throw error instanceof UnreadableRoster ? error : new UnreadableRoster('noZip');
  }
}

function decode(bytes: Uint8Array, name: string) {
  try {
    return decodeText(bytes);
  } catch {
    throw new UnreadableRoster('text', `${name}.csv`);
  }
}

interface RosterTable {
  /** The index of each column. */
  readonly columns: ReadonlyMap<string, number>;
  readonly rows: readonly RosterRow[];
}

/** Reads a table by its column names. Of two columns with the same name, the first counts. */
function tableOf(name: string, [header = [], ...lines]: readonly (readonly string[])[]): RosterTable {
  if (lines.length > rowsMax) throw new UnreadableRoster('tooLarge', `${name}.csv`);
  const columns = new Map(header.map((title, index) => [title.trim(), index] as const).reverse());
  const missing = requiredColumns[name]?.find((column) => !columns.has(column));
  if (missing !== undefined) throw new UnreadableRoster('columnMissing', `${name}.csv: ${missing}`);
  const rows = lines.map((cells) => {
    const row: Record<string, string> = {};
    for (const [column, index] of columns) row[column] = cells[index]?.trim() ?? '';
    return row;
  });
  return { columns, rows };
}

function versionOf({ rows }: RosterTable): Roster['version'] {
  const version = rows.find(({ propertyName }) => propertyName === 'oneroster.version')?.value ?? '';
  if (version === '1.1' || version === '1.2') return version;
  throw new UnreadableRoster('version', version);
}

/** Returns whether the row says that its object was deleted. OneRoster 1.0 called that status `inactive`. */
export const isToBeDeleted = ({ status = '' }: RosterRow): boolean =>
  ['tobedeleted', 'inactive'].includes(status.toLowerCase());

/** Returns the parts of a cell with several values. */
export const valuesOf = (cell = ''): string[] =>
  cell
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
