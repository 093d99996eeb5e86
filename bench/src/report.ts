import { cpus } from 'node:os';
import type { Figures, Measurement } from './measure.ts';
import { workloads } from './workloads.ts';

export function formatTable(measurements: readonly Measurement[]): string {
  const head = [
    '',
    'workload',
    'server/s',
    'p50',
    'p99',
    'node+pg',
    'RSS',
    'floor/s',
    'p50',
    'p99',
    'node+pg',
    'ratio',
  ];
  const rows = measurements.map(({ workload, server, floor, ratio }) => [
    workload,
    workloads[workload].title,
    ...formatFigures(server),
    server.peakMiB === null ? '-' : `${Math.round(server.peakMiB)} MiB`,
    ...formatFigures(floor),
    ratio.toFixed(2),
  ]);
  const all = [head, ...rows];
  const widths = head.map((_, i) => Math.max(...all.map((row) => (row[i] as string).length)));
  const isText = (column: number) => column < 2;
  return all
    .map((row) =>
      row
        .map((cell, i) => (isText(i) ? cell.padEnd(widths[i] as number) : cell.padStart(widths[i] as number)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function formatFigures({ requestsPerSecond, p50Ms, p99Ms, cpu }: Figures): string[] {
  const digits = requestsPerSecond < 100 ? 1 : 0;
  return [
    requestsPerSecond.toFixed(digits),
    `${p50Ms.toFixed(1)} ms`,
    `${p99Ms.toFixed(1)} ms`,
    cpu ? `${cpu.node.toFixed(0)}+${cpu.postgres.toFixed(0)} µs` : '-',
  ];
}

export function describeMachine(): string {
  const [first] = cpus();
  return `${cpus().length} x ${first?.model ?? 'unknown processor'}, Node ${process.version}, ${process.platform}`;
}
