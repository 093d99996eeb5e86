import type { ListedStudent } from '@classledger/contract';
import type { Table } from '../../../spreadsheets/write-table.ts';
import { classLabelOf } from '../student-cells.ts';

export interface InitialPassword {
  readonly username: string;
  readonly name: string;
  readonly classLabel: string;
  readonly password: string;
  /** The time at which the password expires if it is not used; null if it does not expire. */
  readonly passwordEndsAt: string | null;
  readonly signInCode: string | null;
}

export type SlipRecipients = 'students' | 'staff';

interface MadePassword {
  readonly username: string;
  readonly initialPassword?: string;
  readonly passwordEndsAt?: string | null;
  readonly signInCode?: string | null;
}

export function initialPasswordOf(
  student: Pick<ListedStudent, 'actualName' | 'gradeName' | 'className'>,
  { username, initialPassword: password = '', passwordEndsAt = null, signInCode = null }: MadePassword,
): InitialPassword {
  const { actualName: name } = student;
  return { username, name, classLabel: classLabelOf(student), password, passwordEndsAt, signInCode };
}

export function passwordTable(
  header: readonly [classLabel: string, name: string, username: string, password: string],
  passwords: readonly InitialPassword[],
): Table {
  return {
    header,
    rows: byClass(passwords).flatMap(([classLabel, all]) =>
      all.map(({ name, username, password }) => [classLabel, name, username, password]),
    ),
  };
}

const byClass = (passwords: readonly InitialPassword[]) => [
  ...Map.groupBy(passwords, ({ classLabel }) => classLabel),
];

/** Returns the URL of a sign-in code. Browsers do not send the part after #, so no server log contains the code. */
export const signInCodeUrl = (code: string) => `${location.origin}/student#code=${code}`;

/** That many slips fit on an A4 sheet at a readable size. PasswordSlips.module.css assumes the same number. */
const slipsOnSheet = 8;

/** Splits slips into sheets. Each class starts on a new sheet, to be handed over together; staff have no classes. */
export function slipSheets(passwords: readonly InitialPassword[], whose: SlipRecipients) {
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
