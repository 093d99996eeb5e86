import { afterAll, vi } from 'vitest';

/**
 * Takes the lines of the server's log from here on, parsed, in place of the terminal, until the tests of the file are over.
 * A busy machine makes requests slow, which is told and no fault: such lines are left out.
 */
export function linesOfLog(): Record<string, unknown>[] {
  const lines: Record<string, unknown>[] = [];
  const written = vi.spyOn(process.stderr, 'write').mockImplementation((line) => {
    const told = JSON.parse(String(line));
    if (told.event !== 'slowRequest') lines.push(told);
    return true;
  });
  afterAll(() => written.mockRestore());
  return lines;
}
