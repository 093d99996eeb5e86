import { limits } from 'virtual:contract';
import type { ClassSummary } from '@classledger/contract';
import { narrow, visible } from '../../../i18n/letters.ts';
import { isBroken } from '../../../spreadsheets/plain-xml.ts';
import type { SheetRow } from '../../../spreadsheets/sheet.ts';
import { type ClassFault, classFinder, labelOf, type NamedClass } from '../../lists/class-names.ts';
import { cutNumber } from '../../lists/cut-numbers.ts';
import { closedName } from '../../lists/person-names.ts';
import { bare, plain } from '../../lists/plain-words.ts';
import type { Fills } from './fill-down.ts';
import { type NamedRow, type NamelessRow, type Naming, nameStudents } from './name-students.ts';
import { type ImportField, importFields, type StudentMapping } from './student-columns.ts';

/** Why a row cannot be imported. */
export type RowProblem =
  | 'usernameMissing'
  | 'usernameTooLong'
  | 'usernameControl'
  | 'usernameTwice'
  | 'nameTooLong'
  | 'identifierBad'
  | 'identifierTwice'
  | 'numberRounded'
  | 'numberShort'
  | 'characterLost'
  | 'nameDoubtful'
  | 'idUnusable'
  | 'nameMissing'
  | 'nameAmbiguous'
  | 'patternEmpty'
  | 'idTwice'
  | 'classMissing'
  | 'classUnknown'
  | 'classAmbiguous';

/** What will become of one row of the file. */
export interface PlannedRow {
  /** Line of the file, from 1; headings and empty rows count. */
  readonly line: number;
  /** As the school has it, where the student is there. */
  readonly username: string;
  readonly actualName: string;
  /** Whether the list has the name; otherwise the username stands for it, and who is there keeps the own one. */
  readonly isNamed: boolean;
  /** Null where the file has none: who is there keeps the own one; so with the next. */
  readonly externalId: string | null;
  readonly cardNumber: string | null;
  /** Null: who is there stays in the class. */
  readonly classId: number | null;
  /** Null where the list does not say. */
  readonly disabled: boolean | null;
  /** As the file names the class, or the class that was chosen for all. */
  readonly classLabel: string;
  readonly problem: RowProblem | null;
  /** The class that the row names, where the school has no such class. */
  readonly unknownClass: NamedClass | null;
  /** How the file has what is taken in narrow letters and digits that can be seen; null where that is the same. */
  readonly wide: { readonly username: string | null; readonly classLabel: string | null };
  /** Of a list without usernames: whether it is proposed for a new student or that of a known one; null in other lists. */
  readonly named: NamedRow['who'] | null;
  /** The class of somebody else with the name of a new student. */
  readonly namesakeIn: string | null;
  /** Whether the class or grade is that of a row above. */
  readonly isFilled: boolean;
}

export interface PlanInput {
  /** The rows of the students alone. */
  readonly rows: readonly SheetRow[];
  readonly mapping: StudentMapping;
  /** Classes that the administrator may fill. */
  readonly classes: readonly ClassSummary[];
  /** For rows that name no class; where the list names classes, only for students who are not there yet. */
  readonly defaultClassId: number | null;
  readonly known: KnownStudents;
  /** How usernames are made where no column has them. */
  readonly naming?: Naming;
  /** Cells that take the text of a row above. */
  readonly fills?: Fills;
}

/** Who is in the school, as far as the administrator sees. */
export interface KnownStudents {
  /** Usernames as the school has them, by those in narrow letters and digits. */
  readonly usernames: ReadonlyMap<string, string>;
  /** Their names, by usernames as the school has them. */
  readonly names: ReadonlyMap<string, string>;
  readonly externalIds: ReadonlySet<string>;
}

/**
 * Says of every row what can be asked of the server. What becomes of it, the server says by a dry run.
 */
export function planImport(input: PlanInput): PlannedRow[] {
  const { rows, mapping, known } = input;
  const seen = new Set<string>();
  const seenIdentifiers = new Set<string>();
  const read = rows.map(rowReader(input));
  const naming = mapping.username === null ? input.naming : undefined;
  const named = naming && nameStudents(read.map(namelessRow), naming);
  return read.map((row, index): PlannedRow => {
    const { line, cells, typed, ownName, identifiers, place, found, isFilled } = row;
    const who = named?.[index];
    const plainName = who ? narrow(who.username) : narrow(typed);
    const username = known.usernames.get(plainName) ?? plainName;
    const actualName = ownName || visible(typed);
    const problem =
      numberProblemOf(cells) ??
      who?.problem ??
      problemOf({ username: plainName, actualName, ownName }, seen) ??
      identifierProblemOf(identifiers, seenIdentifiers) ??
      (typeof found === 'string' ? found : null);
    if (plainName !== '') seen.add(plainName);
    const isUnknown = typeof found === 'string' || !found;
    return {
      line,
      username,
      actualName,
      isNamed: ownName !== '',
      ...identifiers,
      classId: isUnknown ? null : found.id,
      disabled: null,
      classLabel: isUnknown ? labelOf(place) : `${found.gradeName} ${found.name}`,
      problem,
      unknownClass: problem === 'classUnknown' ? place : null,
      wide: {
        username: who || typed === plainName ? null : typed,
        classLabel: isUnknown ? null : wideIn(place, found),
      },
      named: who?.who ?? null,
      namesakeIn: who?.namesake ? `${who.namesake.gradeName} ${who.namesake.className}` : null,
      isFilled,
    };
  });
}

/** A row as far as it is read without the others. */
interface ReadRow {
  readonly line: number;
  readonly cells: readonly string[];
  /** What stands in the column of usernames. */
  readonly typed: string;
  readonly ownName: string;
  readonly identifiers: Readonly<Record<'externalId' | 'cardNumber', string | null>>;
  readonly place: NamedClass;
  /** Null: who is there stays in the class. */
  readonly found: ClassSummary | ClassFault | 'classMissing' | null;
  readonly isFilled: boolean;
}

function rowReader({
  mapping,
  classes,
  defaultClassId,
  known,
  fills,
}: PlanInput): (row: SheetRow) => ReadRow {
  const findClass = classFinder(classes);
  const defaultClass = classes.find((candidate) => candidate.id === defaultClassId);
  return (row) => {
    const textOf = (field: ImportField) => {
      const column = mapping[field];
      return column === null ? '' : (row.cells[column] ?? '');
    };
    const ownName = closedName(textOf('actualName'));
    const certain = certainNumber(row.digits?.get(mapping.username ?? -1), ownName, known);
    const cell = (field: ImportField) => (field === 'username' && certain) || textOf(field);
    const typed = cell('username');
    const identifiers = {
      externalId: narrow(cell('externalId')) || null,
      cardNumber: narrow(cell('cardNumber')) || null,
    };
    const isThere = known.usernames.has(narrow(typed)) || known.externalIds.has(identifiers.externalId ?? '');
    // In cells that only look like a block, an empty class leaves a student in the class.
    const fillOf = (field: 'gradeName' | 'className') => {
      const fill = cell(field) === '' ? fills?.get(row.line)?.[field] : undefined;
      return fill && (fill.isMerged || !isThere || cell('className') !== '') ? fill.text : '';
    };
    const place = {
      className: cell('className') || fillOf('className'),
      gradeName: cell('gradeName') || fillOf('gradeName'),
    };
    // An empty cell of a list with classes leaves people where they are, and so does a list without any class.
    const staysIn = isThere && (mapping.className !== null || !defaultClass);
    return {
      line: row.line,
      cells: importFields.map(cell),
      ...{ typed, ownName, identifiers, place },
      found: place.className === '' ? (staysIn ? null : (defaultClass ?? 'classMissing')) : findClass(place),
      isFilled: place.className !== cell('className') || place.gradeName !== cell('gradeName'),
    };
  };
}

function namelessRow({ ownName, identifiers, place, found }: ReadRow): NamelessRow {
  const isKnown = typeof found !== 'string' && found !== null;
  return {
    name: ownName,
    ...identifiers,
    classId: isKnown ? found.id : null,
    gradeName: isKnown ? found.gradeName : place.gradeName,
    className: isKnown ? found.name : place.className,
  };
}

/** What of a class's name is found only because wide letters and digits are taken as narrow ones. */
function wideIn(named: NamedClass, found: ClassSummary): string | null {
  const isWide = (text: string, own: string) => text !== own && bare(text) !== plain(text);
  const wide = {
    gradeName: isWide(named.gradeName, found.gradeName) ? named.gradeName : '',
    className: isWide(named.className, found.name) ? named.className : '',
  };
  return labelOf(wide) || null;
}

/**
 * The digits of a number that a spreadsheet has rounded, where the school has a student of just that username and just that
 * name: nobody else can be meant. Without the name it may be a classmate, whose number begins with the same digits.
 */
function certainNumber(digits: string | undefined, ownName: string, known: KnownStudents): string | null {
  const username = digits === undefined ? undefined : known.usernames.get(digits);
  if (username === undefined || digits === undefined || ownName === '') return null;
  const name = known.names.get(username) ?? '';
  return closedName(name) === ownName ? digits : null;
}

/** Of more digits a spreadsheet keeps none: no one knows those of 3.70102E+17 any more, but it has all of 2.02601E+11. */
const digitsKept = 15;

function numberProblemOf(cells: readonly string[]): 'numberRounded' | 'numberShort' | null {
  const exponents = cells.flatMap((text) => cutNumber(text) ?? []);
  if (exponents.length === 0) return null;
  return Math.max(...exponents) < digitsKept ? 'numberShort' : 'numberRounded';
}

/**
 * Whether the long numbers among the usernames all end in zeros where a spreadsheet keeps no digits: it may have
 * rounded them and shown them in full.
 */
export function mayBeRounded(plan: readonly PlannedRow[]): boolean {
  const long = plan.filter(({ username }) => /^\d{16,}$/.test(username));
  return long.length > 1 && long.every(({ username }) => /^\d{15}0+$/.test(username));
}

const length = (text: string) => [...text].length;

/** Holds what programs put in the place of a character that they did not know, or what cannot be stored. */
const isLost = (text: string) => isBroken(text) || /[\0\uFFFD]/.test(text);

/** What is wrong with who somebody is said to be. */
export function problemOf(
  { username, actualName, ownName }: Record<'username' | 'actualName' | 'ownName', string>,
  seen: ReadonlySet<string>,
): RowProblem | null {
  if (username === '') return 'usernameMissing';
  if (length(username) > limits.usernameLengthMax) return 'usernameTooLong';
  if (/\p{Cc}/u.test(username)) return 'usernameControl';
  if (length(actualName) > limits.nameLengthMax) return 'nameTooLong';
  if (isLost(username) || isLost(actualName)) return 'characterLost';
  // Excel puts it in the place of a character that it does not know, and it stands in no one's name.
  if (ownName.includes('?')) return 'nameDoubtful';
  return seen.has(username) ? 'usernameTwice' : null;
}

/** @param seen those of the rows before; takes these in */
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
