/**
 * Lets at most so many pieces of work run at once; the rest wait their turn in the order in which they came.
 *
 * @returns what runs a piece of work when its turn has come
 */
export function atMost(count: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    // Whoever ends hands the place over, so that no one who comes at that moment overtakes.
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

/**
 * The same, and of them at most so many of one, such as a school: who waits for its own takes no place from others.
 *
 * @returns what runs a piece of work of one when its turn has come
 */
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

/** Works through a list from its beginning, on so many pieces at once. */
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
