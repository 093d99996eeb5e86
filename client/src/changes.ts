import type { CallOptions, Clock } from './call.ts';
import type { GetChangesQuery, Changes as Page } from './generated/types.ts';

/** One entry of the feed. */
export type Change = Page['list'][number];

/** Which changes, from where on, and how long. */
export interface ChangesOptions extends CallOptions {
  /** The cursor that was stored last; without one, the feed begins now. */
  readonly after?: string | undefined;
  /** Only changes of these; a cursor is good for the types it was made with. */
  readonly types?: readonly Change['type'][] | undefined;
  /** How long to wait at the end before asking again; null: the iteration ends there. */
  readonly pollMs?: number | null | undefined;
}

/** Some changes that follow one another, and the place behind them. */
export interface ChangesPage {
  readonly changes: readonly Change[];
  /** Store it once the changes are done; also when there are none, as cursors grow old. */
  readonly cursor: string;
}

/** One change, and the place to go on from once it is done. */
export interface ChangeAtCursor {
  readonly change: Change;
  /**
   * Store it once this change is done. In the middle of a page it is the place before the page: whoever stops there gets the
   * page again, which does no harm, as every change holds the thing as it is now.
   */
  readonly cursor: string;
}

type Read = (query: GetChangesQuery, options: CallOptions) => Promise<Page>;

/**
 * Reads the feed page by page, to its end or on and on.
 *
 * @throws TypeError when `after` is empty: a program that lost its place must not skip changes
 */
export async function* changePages(
  { after, types, pollMs = null, ...options }: ChangesOptions,
  read: Read,
  clock: Clock,
): AsyncGenerator<ChangesPage, void, undefined> {
  if (after?.trim() === '') throw new TypeError('The cursor is empty: leave after out to begin now');
  let place = after;
  for (;;) {
    const { list, cursor, hasMore } = await read({ after: place, types }, options);
    place = cursor;
    yield { changes: list, cursor };
    if (hasMore) continue;
    if (pollMs === null) return;
    await clock.sleep(pollMs, options.signal);
  }
}

/** The same, change by change; empty pages, and so their cursors, are not seen. */
export async function* eachChange(
  after: string | undefined,
  pages: AsyncIterable<ChangesPage>,
): AsyncGenerator<ChangeAtCursor, void, undefined> {
  let before = after;
  for await (const { changes, cursor } of pages) {
    for (const [i, change] of changes.entries()) {
      yield { change, cursor: i === changes.length - 1 ? cursor : (before ?? cursor) };
    }
    before = cursor;
  }
}
