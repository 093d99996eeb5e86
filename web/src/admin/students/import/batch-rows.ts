import { limits } from 'virtual:contract';
import type { ListedStudent } from '@classledger/contract';
import type { PlannedRow } from './plan-import.ts';

export interface ImportBatches {
  readonly batches: readonly (readonly PlannedRow[])[];
  /** Rows that depend on each other's numbers and are too many for one batch. */
  readonly separated: ReadonlySet<PlannedRow>;
}

export function splitIntoBatches<Row>(rows: readonly Row[]): readonly (readonly Row[])[] {
  const size = limits.studentsPerBatchMax;
  return Array.from({ length: Math.ceil(rows.length / size) }, (_, part) =>
    rows.slice(part * size, (part + 1) * size),
  );
}

/** Cuts rows into batches. Dependent rows stay together: the server passes numbers on only within a batch. */
export function batchRows(rows: readonly PlannedRow[], students: readonly ListedStudent[]): ImportBatches {
  const sound = rows.filter(({ problem }) => problem === null);
  const size = limits.studentsPerBatchMax;
  const parts: PlannedRow[][] = [];
  const apart: PlannedRow[] = [];
  for (const together of groupDependentRows(sound, students)) {
    const last = parts.at(-1);
    if (together.length > size) {
      parts.push(...splitIntoBatches(together).map((part) => [...part]));
      apart.push(...together);
    } else if (last && last.length + together.length <= size) last.push(...together);
    else parts.push(together);
  }
  const places = new Map(sound.map((row, place) => [row, place]));
  const place = (row: PlannedRow) => places.get(row) ?? 0;
  return {
    batches: parts.map((part) => part.sort((a, b) => place(a) - place(b))),
    separated: new Set(apart),
  };
}

/** Groups dependent rows. In a group beyond the batch size, rows that release a number come first, except in cycles. */
function groupDependentRows(rows: readonly PlannedRow[], students: readonly ListedStudent[]): PlannedRow[][] {
  const waitsFor = findDependencies(rows, students);
  const neighbours = new Map<PlannedRow, PlannedRow[]>();
  for (const [row, givers] of waitsFor) {
    for (const giver of givers) {
      neighbours.set(row, [...(neighbours.get(row) ?? []), giver]);
      neighbours.set(giver, [...(neighbours.get(giver) ?? []), row]);
    }
  }
  const seen = new Set<PlannedRow>();
  return rows.flatMap((first) => {
    if (seen.has(first)) return [];
    const group = [first];
    seen.add(first);
    for (const row of group) {
      for (const other of neighbours.get(row) ?? []) {
        if (!seen.has(other)) group.push(other);
        seen.add(other);
      }
    }
    return [group.length > limits.studentsPerBatchMax ? orderByRelease(group, waitsFor) : group];
  });
}

function orderByRelease(
  group: readonly PlannedRow[],
  waitsFor: ReadonlyMap<PlannedRow, readonly PlannedRow[]>,
): PlannedRow[] {
  const done = new Set<PlannedRow>();
  const begun = new Set<PlannedRow>();
  for (const first of group) {
    const stack = [first];
    for (let row = stack.at(-1); row; row = stack.at(-1)) {
      const next = begun.has(row) ? [] : (waitsFor.get(row) ?? []).filter((giver) => !begun.has(giver));
      begun.add(row);
      stack.push(...next);
      if (next.length > 0) continue;
      done.add(row);
      stack.pop();
    }
  }
  return [...done];
}

/** Maps rows to the rows that release the username or card number they need. */
function findDependencies(
  rows: readonly PlannedRow[],
  students: readonly ListedStudent[],
): ReadonlyMap<PlannedRow, readonly PlannedRow[]> {
  const byUsername = new Map(students.map((student) => [student.username, student]));
  const byExternalId = new Map(students.map((student) => [student.externalId, student]));
  const givers = new Map<string, PlannedRow>();
  const give = (number: string, row: PlannedRow) => givers.has(number) || givers.set(number, row);
  for (const row of rows) {
    const { username, externalId, cardNumber } = row;
    const meant = (externalId !== null && byExternalId.get(externalId)) || byUsername.get(username);
    if (!meant) continue;
    if (meant.username !== username) give(`name ${meant.username}`, row);
    // Only a student with a card number can release one.
    const isOther = meant.cardNumber !== null && cardNumber !== null && meant.cardNumber !== cardNumber;
    if (isOther) give(`card ${meant.cardNumber}`, row);
  }
  return new Map(
    rows.map((row) => {
      const wanted = [givers.get(`name ${row.username}`), givers.get(`card ${row.cardNumber}`)];
      return [row, wanted.flatMap((giver) => (giver && giver !== row ? giver : []))];
    }),
  );
}
