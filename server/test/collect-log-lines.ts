import { afterAll, vi } from 'vitest';

/** Collects parsed log lines until the tests of the file end, without the slow requests of a busy machine. */
export function collectLogLines(): Record<string, unknown>[] {
  const lines: Record<string, unknown>[] = [];
  const written = vi.spyOn(process.stderr, 'write').mockImplementation((line) => {
    const entry = JSON.parse(String(line));
    if (entry.event !== 'slowRequest') lines.push(entry);
    return true;
  });
  afterAll(() => written.mockRestore());
  return lines;
}
