import type { Table } from '../../../../spreadsheets/write-table.ts';

/** A password that was made for a student, as long as it can be shown. */
export interface InitialPassword {
  readonly username: string;
  readonly name: string;
  /** Grade and class. */
  readonly classLabel: string;
  readonly password: string;
}

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
export function byClass(
  passwords: readonly InitialPassword[],
): readonly (readonly [classLabel: string, passwords: readonly InitialPassword[]])[] {
  return [...Map.groupBy(passwords, (one) => one.classLabel)];
}
