import type { CallOptions, Clock } from './call.ts';
import type { GetChangesQuery, Changes as Page } from './generated/types.ts';

export type Change = Page['list'][number];

export interface ChangesOptions extends CallOptions {
  /** The cursor that you stored last; without it, the feed begins now. */
  readonly after?: string | undefined;
  /** Limits the feed to these types; a cursor is valid for the types that it was made with, or fewer. */
  readonly types?: readonly Change['type'][] | undefined;
  /** Pause at the end of the feed before the next request; null ends the iteration there. */
  readonly pollMs?: number | null | undefined;
}

export interface ChangesPage {
  readonly changes: readonly Change[];
  /** Store the cursor after you have processed the changes, even if there are none, because old cursors expire. */
  readonly cursor: string;
}

export interface ChangeAtCursor {
  readonly change: Change;
  /** For a page's last change the cursor after the page, otherwise before it. Reading a page again is harmless. */
  readonly cursor: string;
}

type ReadChanges = (query: GetChangesQuery, options: CallOptions) => Promise<Page>;

/** Reads the feed page by page. @throws TypeError when `after` is empty, because a lost cursor must not skip changes */
export async function* changePages(
  { after, types, pollMs = null, ...options }: ChangesOptions,
  read: ReadChanges,
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

/** Reads the feed change by change. Yields nothing for an empty page, so its cursor is lost. */
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
