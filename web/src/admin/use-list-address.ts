import { type RegisteredRouter, type RouteIds, useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
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
  /** Turns to another page; the way back in the browser leads to the one before, unless that is gone. */
  readonly turnTo: (page: number, gone?: boolean) => void;
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
  const turnTo = useCallback((page: number, gone = false) => show({ page }, !gone), [show]);
  return { search, change, turnTo };
}
