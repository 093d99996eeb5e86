export type ItemOutcome<Item, Done> =
  | { readonly item: Item; readonly done: Done; readonly error?: undefined }
  | { readonly item: Item; readonly error: unknown };

/** The error of items that were not started, because the user stopped the run. */
export class StoppedByUser extends Error {}

interface RunOptions {
  readonly parallelMax: number;
  readonly onProgress: (finished: number) => void;
  readonly isStopped: () => boolean;
}

/** Runs `work` for each item, a few in parallel; a failure does not stop the others. Keeps the order of the items. */
export async function runEach<Item, Done>(
  items: readonly Item[],
  work: (item: Item) => Promise<Done>,
  { parallelMax, onProgress, isStopped }: RunOptions,
): Promise<ItemOutcome<Item, Done>[]> {
  const outcomes: ItemOutcome<Item, Done>[] = [];
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
  await Promise.all(Array.from({ length: Math.min(parallelMax, items.length) }, worker));
  return outcomes;
}
