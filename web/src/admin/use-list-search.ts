import { type RegisteredRouter, type RouteIds, useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { RawSearch, SearchChange } from './search-parameters.ts';

type PagePath =
  RouteIds<RegisteredRouter['routeTree']> extends infer Id
    ? Id extends `/shell/${infer Path}`
      ? `/${Path}`
      : never
    : never;

interface ListSearch<Search> {
  readonly search: Search;
  readonly change: (changed: SearchChange<Search>) => void;
  /** Goes to another page. Back returns to the former one, unless it no longer exists. */
  readonly turnTo: (page: number, gone?: boolean) => void;
}

/** Returns a list's view from the address, so that reload, Back and links keep it. @param read the route's parser */
export function useListSearch<Search extends object>(
  path: PagePath,
  read: (raw: RawSearch) => Search,
): ListSearch<Search> {
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
  const change = useCallback((changed: SearchChange<Search>) => show(changed, false), [show]);
  const turnTo = useCallback((page: number, gone = false) => show({ page }, !gone), [show]);
  return { search, change, turnTo };
}
