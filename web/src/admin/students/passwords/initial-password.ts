import type { Table } from '../../../spreadsheets/write-table.ts';

/** A password that was made for a student, as long as it can be shown. */
export interface InitialPassword {
  readonly username: string;
  readonly name: string;
  /** Grade and class. */
  readonly classLabel: string;
  readonly password: string;
  /** When it ends unless it is used before; null: never. */
  readonly passwordEndsAt: string | null;
  /** Signs in once, from the slip. */
  readonly signInCode: string | null;
}

/** Whose slips: they say where to sign in. */
export type SlipsOf = 'students' | 'staff';

/** The passwords as a table to download; `header` names class, name, username and password. */
export function passwordTable(
  header: readonly [string, string, string, string],
  passwords: readonly InitialPassword[],
): Table {
  return {
    header,
    rows: byClass(passwords).flatMap(([classLabel, all]) =>
      all.map(({ name, username, password }) => [classLabel, name, username, password]),
    ),
  };
}

/** Class by class, in the order in which the classes come. */
function byClass(
  passwords: readonly InitialPassword[],
): readonly (readonly [classLabel: string, passwords: readonly InitialPassword[]])[] {
  return [...Map.groupBy(passwords, (one) => one.classLabel)];
}

/** What is printed on one sheet of paper. */
export interface SlipSheet {
  /** Null: its slips are of several classes. */
  readonly classLabel: string | null;
  /** Among the sheets of the class, or of all, from 1, of how many. */
  readonly n: number;
  readonly of: number;
  readonly passwords: readonly InitialPassword[];
}

/** Where a code leads: behind the #, where no server and no log sees it. */
export const addressOfCode = (code: string) => `${location.origin}/student#code=${code}`;

/** As many slips as fit on A4 and still can be read and cut; the style sheet knows it too. */
const slipsOnSheet = 8;

/**
 * Every class begins on a new sheet, so that its slips can be handed over together. Class teachers are one of a class: theirs follow one
 * another.
 */
export function slipSheets(passwords: readonly InitialPassword[], whose: SlipsOf): SlipSheet[] {
  const parts = whose === 'staff' ? [[null, passwords] as const] : byClass(passwords);
  return parts.flatMap(([classLabel, all]) => {
    const of = Math.ceil(all.length / slipsOnSheet);
    return Array.from({ length: of }, (_, index) => ({
      classLabel,
      n: index + 1,
      of,
      passwords: all.slice(index * slipsOnSheet, (index + 1) * slipsOnSheet),
    }));
  });
}
