import { limits } from 'virtual:contract';
import type { ClassSummary, ListedStudent } from '@classledger/contract';
import { stripInvisible, toHalfWidth } from '../../../i18n/letters.ts';
import { hasLoneSurrogate } from '../../../spreadsheets/normalize-xml.ts';
import type { SheetRow } from '../../../spreadsheets/sheet.ts';
import { type ClassFault, classFinder, type NamedClass, namedClassLabel } from '../../lists/class-names.ts';
import {
  normalizeKeepingWidth,
  normalizeText,
  removeNameBlanks,
  shortenedExponent,
} from '../../lists/normalize-text.ts';
import type { ListRow } from '../../lists/PlannedRows.tsx';
import type { FillDownTexts } from './fill-down.ts';
import {
  assignUsernames,
  type NamedRow,
  type NamingOptions,
  type NamingProblem,
} from './propose-usernames.ts';
import { type ImportField, importFields, type StudentMapping } from './student-columns.ts';

type NumberProblem = 'numberRounded' | 'numberShort';
type UsernameProblem = 'usernameMissing' | 'usernameTooLong' | 'usernameControl' | 'usernameTwice';
type NameProblem = NamingProblem | 'nameTooLong' | 'nameDoubtful' | 'characterLost';
type IdentifierProblem = 'identifierBad' | 'identifierTwice' | 'idUnusable' | 'idTwice';
type ClassProblem = ClassFault | 'classMissing';

export type RowProblem = NumberProblem | UsernameProblem | NameProblem | IdentifierProblem | ClassProblem;

/** A row of the list. For an existing student, it has the school's spelling of the username. */
export interface PlannedRow extends ListRow {
  /** False if the row has no name: a new student then gets the username as name, an existing one keeps the name. */
  readonly isNamed: boolean;
  /** Null leaves the existing value unchanged, also in `cardNumber`. */
  readonly externalId: string | null;
  readonly cardNumber: string | null;
  readonly classId: number | null;
  readonly disabled: boolean | null;
  readonly problem: RowProblem | null;
  readonly unknownClass: NamedClass | null;
  /** `new` if the username is proposed, `known` if an existing student has it; null if the list has usernames. */
  readonly named: NamedRow['who'] | null;
  /** For a new student: the class of another student with the same name. */
  readonly namesakeIn: string | null;
  readonly isFilled: boolean;
}

export interface PlanInput {
  readonly rows: readonly SheetRow[];
  readonly mapping: StudentMapping;
  readonly classes: readonly ClassSummary[];
  /** The class of rows without one. If the list has a class column, it applies only to new students. */
  readonly defaultClassId: number | null;
  readonly students: readonly ListedStudent[];
  /** How to name students if the list has no usernames. */
  readonly naming?: NamingOptions;
  readonly fills?: FillDownTexts;
  /** Whether to fill empty cells that are not merged, too. */
  readonly fillsDown?: boolean;
}

interface KnownStudents {
  /** By the half-width form of the username (`toHalfWidth`). */
  readonly byUsername: ReadonlyMap<string, ListedStudent>;
  readonly externalIds: ReadonlySet<string>;
}

/** Plans the import of each row from the file alone. Then a dry run asks the server for the effect. */
export function planImport(input: PlanInput): PlannedRow[] {
  const { rows, mapping, students } = input;
  const known: KnownStudents = {
    byUsername: new Map(students.map((student) => [toHalfWidth(student.username), student])),
    externalIds: new Set(students.flatMap(({ externalId }) => externalId ?? [])),
  };
  const seen = new Set<string>();
  const seenIdentifiers = new Set<string>();
  const read = rows.map(rowReader(input, known));
  const naming = mapping.username === null ? input.naming : undefined;
  const named = naming && assignUsernames(read.map(namelessRow), students, naming);
  return read.map((row, index): PlannedRow => {
    const { line, cells, typed, ownName, identifiers, place, found, isFilled } = row;
    const who = named?.[index];
    const plainName = toHalfWidth(who ? who.username : typed);
    const actualName = ownName || stripInvisible(typed);
    const problem =
      numberProblemOf(cells) ??
      who?.problem ??
      rowProblemOf({ username: plainName, actualName, ownName }, seen) ??
      identifierProblemOf(identifiers, seenIdentifiers) ??
      row.classProblem;
    if (plainName !== '') seen.add(plainName);
    return {
      line,
      username: known.byUsername.get(plainName)?.username ?? plainName,
      actualName,
      isNamed: ownName !== '',
      ...identifiers,
      classId: found?.id ?? null,
      disabled: null,
      classLabel: found ? `${found.gradeName} ${found.name}` : namedClassLabel(place),
      problem,
      unknownClass: problem === 'classUnknown' ? place : null,
      wide: {
        username: who || typed === plainName ? null : typed,
        classLabel: found && fullWidthPartsOf(place, found),
      },
      named: who?.who ?? null,
      namesakeIn: who?.namesake ? `${who.namesake.gradeName} ${who.namesake.className}` : null,
      isFilled,
    };
  });
}

type ParsedRow = ReturnType<ReturnType<typeof rowReader>>;

function rowReader(input: PlanInput, known: KnownStudents) {
  const { mapping, classes, defaultClassId, fills, fillsDown } = input;
  const findClass = classFinder(classes);
  const defaultClass = classes.find((candidate) => candidate.id === defaultClassId);
  return (row: SheetRow) => {
    const textOf = (field: ImportField) => row.cells[mapping[field] ?? -1] ?? '';
    const ownName = removeNameBlanks(textOf('actualName'));
    const certain = restoredNumber(row.digits?.get(mapping.username ?? -1) ?? '', ownName, known);
    const cell = (field: ImportField) => (field === 'username' && certain) || textOf(field);
    const typed = cell('username');
    const identifiers = {
      externalId: toHalfWidth(cell('externalId')) || null,
      cardNumber: toHalfWidth(cell('cardNumber')) || null,
    };
    const isThere =
      known.byUsername.has(toHalfWidth(typed)) || known.externalIds.has(identifiers.externalId ?? '');
    // For an existing student, an empty class cell means no change, unless the cell is merged.
    const fillOf = (field: 'gradeName' | 'className') => {
      const fill = fills?.get(row.line)?.[field];
      const isMeant = fillsDown && (!isThere || cell('className') !== '');
      return fill && (fill.isMerged || isMeant) ? fill.text : '';
    };
    const place = {
      className: cell('className') || fillOf('className'),
      gradeName: cell('gradeName') || fillOf('gradeName'),
    };
    // Without a class in the row, an existing student keeps the class if the list has a class column or no default.
    const staysIn = isThere && (mapping.className !== null || !defaultClass);
    const ofUnplaced = staysIn ? null : (defaultClass ?? ('classMissing' as const));
    const found = place.className === '' ? ofUnplaced : findClass(place);
    return {
      line: row.line,
      cells: importFields.map(cell),
      ...{ typed, ownName, identifiers, place },
      found: typeof found === 'string' ? null : found,
      classProblem: typeof found === 'string' ? found : null,
      isFilled: place.className !== cell('className') || place.gradeName !== cell('gradeName'),
    };
  };
}

const namelessRow = ({ ownName, identifiers, place, found }: ParsedRow) => ({
  name: ownName,
  ...identifiers,
  classId: found?.id ?? null,
  gradeName: found?.gradeName ?? place.gradeName,
  className: found?.name ?? place.className,
});

/** Returns the parts of a class's name that match only after conversion to half-width; null if there are none. */
function fullWidthPartsOf(named: NamedClass, found: ClassSummary): string | null {
  const isWide = (text: string, own: string) =>
    text !== own && normalizeKeepingWidth(text) !== normalizeText(text);
  const wide = {
    gradeName: isWide(named.gradeName, found.gradeName) ? named.gradeName : '',
    className: isWide(named.className, found.name) ? named.className : '',
  };
  return namedClassLabel(wide) || null;
}

/** Returns a shortened number's digits if a student has that username and name: the digits may be rounded. */
function restoredNumber(digits: string, ownName: string, { byUsername }: KnownStudents): string | null {
  const student = byUsername.get(digits);
  return student && ownName !== '' && removeNameBlanks(student.actualName) === ownName ? digits : null;
}

/** Spreadsheets keep 15 digits: the rest of 3.70102E+17 is lost, but 2.02601E+11 is stored in full. */
const digitsKept = 15;

function numberProblemOf(cells: readonly string[]): NumberProblem | null {
  const exponents = cells.flatMap((text) => shortenedExponent(text) ?? []);
  if (exponents.length === 0) return null;
  return Math.max(...exponents) < digitsKept ? 'numberShort' : 'numberRounded';
}

/** Returns whether the long numeric usernames have zeros after 15 digits: a spreadsheet may have rounded them. */
export function mayBeRounded(plan: readonly PlannedRow[]): boolean {
  const long = plan.filter(({ username }) => /^\d{16,}$/.test(username));
  return long.length > 1 && long.every(({ username }) => /^\d{15}0+$/.test(username));
}

const length = (text: string) => [...text].length;

/** Returns whether a text contains replacement characters, or characters that cannot be stored. */
const isLost = (text: string) => hasLoneSurrogate(text) || /[\0\uFFFD]/.test(text);

export function rowProblemOf(
  { username, actualName, ownName }: Record<'username' | 'actualName' | 'ownName', string>,
  seen: ReadonlySet<string>,
): RowProblem | null {
  if (username === '') return 'usernameMissing';
  if (length(username) > limits.usernameLengthMax) return 'usernameTooLong';
  if (/\p{Cc}/u.test(username)) return 'usernameControl';
  if (length(actualName) > limits.nameLengthMax) return 'nameTooLong';
  if (isLost(username) || isLost(actualName)) return 'characterLost';
  // A question mark may stand for a character that Excel could not encode.
  if (ownName.includes('?')) return 'nameDoubtful';
  return seen.has(username) ? 'usernameTwice' : null;
}

/** @param seen identifiers of the rows before; this function adds those of the row */
function identifierProblemOf(
  identifiers: Readonly<Record<'externalId' | 'cardNumber', string | null>>,
  seen: Set<string>,
): RowProblem | null {
  let problem: RowProblem | null = null;
  for (const [field, text] of Object.entries(identifiers)) {
    if (text === null) continue;
    const isBad = length(text) > limits.identifierLengthMax || /\p{Cc}/u.test(text) || isLost(text);
    problem ??= isBad ? 'identifierBad' : seen.has(`${field} ${text}`) ? 'identifierTwice' : null;
    seen.add(`${field} ${text}`);
  }
  return problem;
}
