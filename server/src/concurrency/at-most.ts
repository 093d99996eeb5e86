/** Returns a function that runs at most `count` pieces of work at once; the rest waits in order. */
export function atMost(count: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    // Ending work passes its place to the first that waits, so that new work cannot overtake.
    if (running < count) running++;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}

/** Like `atMost`, and limits each owner, such as a school. Work that waits for its owner takes no place from others. */
export function atMostOfEach(
  count: number,
  ofOne: number,
): <T>(one: number, work: () => Promise<T>) => Promise<T> {
  const ofAll = atMost(count);
  const each = new Map<number, { readonly inTurn: ReturnType<typeof atMost>; users: number }>();
  return async (one, work) => {
    const own = each.get(one) ?? { inTurn: atMost(ofOne), users: 0 };
    each.set(one, own);
    own.users++;
    try {
      return await own.inTurn(() => ofAll(work));
    } finally {
      if (--own.users === 0) each.delete(one);
    }
  };
}

/** Processes a list in order, `atOnce` items at a time. */
export async function workThrough<T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T, index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const worker = async () => {
    for (let i = next++; i < items.length; i = next++) await work(items[i] as T, i);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
