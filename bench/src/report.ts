import { cpus } from 'node:os';

type Row = Readonly<Record<string, number | null>>;

/** Prints a table with four digits of each figure. A figure that is null stays empty. */
export function printTable(rows: Readonly<Record<string, Row>>): void {
  const printed = (row: Row) =>
    Object.fromEntries(
      Object.entries(row).flatMap(([name, figure]) =>
        figure === null ? [] : [[name, Number(figure.toPrecision(4))]],
      ),
    );
  console.table(Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, printed(row)])));
}

export function describeMachine(): string {
  const [first] = cpus();
  return `${cpus().length} x ${first?.model ?? 'unknown processor'}, Node ${process.version}, ${process.platform}`;
}
