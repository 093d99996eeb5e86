import { createHash } from 'node:crypto';
import type { Mutant } from './mutants.ts';

/** Chooses mutants by a seed, per file in proportion to its lines. A mutant's rank depends only on its own text. */
export function chooseMutants(options: {
  readonly mutants: readonly Mutant[];
  readonly linesOf: (file: string) => number;
  readonly count: number;
  readonly seed: string;
}): readonly Mutant[] {
  const { mutants, linesOf, count, seed } = options;
  const rankOf = ({ enclosing, original, replacement, occurrence }: Mutant) =>
    createHash('sha256')
      .update(JSON.stringify([seed, enclosing, original, replacement, occurrence]))
      .digest('hex');
  const ranked = mutants
    .map((mutant) => ({ mutant, rank: rankOf(mutant) }))
    .sort((one, other) => (one.rank < other.rank ? -1 : 1))
    .map(({ mutant }) => mutant);
  const byFile = Map.groupBy(ranked, ({ file }) => file);
  const files = [...byFile.keys()].sort();
  const lines = files.reduce((sum, file) => sum + linesOf(file), 0);
  const chosen = new Set<Mutant>();
  let before = 0;
  for (const file of files) {
    const share = (upTo: number) => Math.floor((count * upTo) / lines);
    const wanted = share(before + linesOf(file)) - share(before);
    for (const mutant of byFile.get(file)?.slice(0, wanted) ?? []) chosen.add(mutant);
    before += linesOf(file);
  }
  // Adds mutants of other files, because some files have fewer mutants than their share.
  for (const mutant of ranked) if (chosen.size < count) chosen.add(mutant);
  return [...chosen].sort((one, other) =>
    one.file === other.file ? one.line - other.line : one.file < other.file ? -1 : 1,
  );
}
