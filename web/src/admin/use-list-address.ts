import { type RegisteredRouter, type RouteIds, useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect } from 'react';
import type { ChangeOf, RawSearch } from './address.ts';

/** The paths of all pages in the shell. */
type PagePath =
  RouteIds<RegisteredRouter['routeTree']> extends infer Id
    ? Id extends `/shell/${infer Path}`
      ? `/${Path}`
      : never
    : never;

interface ListAddress<Search> {
  readonly search: Search;
  /** Shows the list otherwise, from its first page. */
  readonly change: (changed: ChangeOf<Search>) => void;
  /** Turns to another page, which the way back in the browser knows of. */
  readonly turnTo: (page: number) => void;
}

/**
 * The view of a list as the address holds it, so that reload, back and links keep it, and how to change it.
 *
 * @param path of the page
 * @param read what the route of the page reads its address by
 */
export function useListAddress<Search extends object>(
  path: PagePath,
  read: (raw: RawSearch) => Search,
): ListAddress<Search> {
  const held: object = useSearch({ strict: false });
  const search = held as Search;
  const navigate = useNavigate({ from: path });
  const show = useCallback(
    (changed: object, isTurned: boolean) =>
      void navigate({
        search: (before: object) => read({ ...before, page: undefined, ...changed }),
        replace: !isTurned,
        resetScroll: isTurned,
      } as never),
    [navigate, read],
  );
  const change = useCallback((changed: ChangeOf<Search>) => show(changed, false), [show]);
  const turnTo = useCallback((page: number) => show({ page }, true), [show]);
  return { search, change, turnTo };
}

interface ShownPage {
  readonly list: {
    readonly data: { readonly total: number } | undefined;
    readonly isPlaceholderData: boolean;
  };
  readonly page: number;
  readonly pageSize: number;
  readonly change: (changed: { readonly page: number }) => void;
}

/** Goes back to the last page of a list when the one that is shown is no more: what stood on it is gone. */
export function useLastPage({ list: { data, isPlaceholderData }, page, pageSize, change }: ShownPage): void {
  const lastPage = data && !isPlaceholderData ? Math.max(1, Math.ceil(data.total / pageSize)) : page;
  useEffect(() => {
    if (page > lastPage) change({ page: lastPage });
  }, [page, lastPage, change]);
}
