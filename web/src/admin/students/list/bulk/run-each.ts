/** What became of one of several things. */
export type Outcome<Item, Done> =
  | { readonly item: Item; readonly done: Done; readonly error?: undefined }
  | { readonly item: Item; readonly error: unknown };

/** That a run was stopped before it came to an item. */
export class StoppedByUser extends Error {}

interface RunOptions {
  /** How many are worked on at the same time. */
  readonly atOnce: number;
  readonly onProgress: (finished: number) => void;
  /** Asked before each item. */
  readonly isStopped: () => boolean;
}

/**
 * Does the same to each of many things, a few at a time. One that fails fails alone.
 *
 * @returns what became of each, in the order of the items
 */
export async function runEach<Item, Done>(
  items: readonly Item[],
  work: (item: Item) => Promise<Done>,
  { atOnce, onProgress, isStopped }: RunOptions,
): Promise<Outcome<Item, Done>[]> {
  const outcomes: Outcome<Item, Done>[] = [];
  let next = 0;
  let finished = 0;
  const worker = async () => {
    for (let index = next++; index < items.length; index = next++) {
      const item = items[index] as Item;
      try {
        if (isStopped()) throw new StoppedByUser();
        outcomes[index] = { item, done: await work(item) };
      } catch (error) {
        outcomes[index] = { item, error };
      }
      finished += 1;
      onProgress(finished);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  return outcomes;
}
