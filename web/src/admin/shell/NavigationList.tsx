import { Tooltip } from '@mantine/core';
import { IconDots, IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand } from '@tabler/icons-react';
import { Link, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { useMayDo, useMe } from '../me.ts';
import { useSchools } from '../school.tsx';
import { useToolCheck } from '../use-is-tool-enabled.ts';
import classes from './NavigationList.module.css';
import { type NavigationItem, navigation, navigationItemOf } from './navigation.ts';
import { texts } from './texts.ts';

const groups = [
  ['class', 'groupClass'],
  ['school', 'groupSchool'],
  ['system', 'groupSystem'],
] as const;

interface NavigationListProps {
  readonly narrow: boolean;
  readonly onToggle?: () => void;
}

export function NavigationList({ narrow, onToggle }: NavigationListProps) {
  const t = useTexts(texts);
  const { role } = useMe();
  const entries = useNavigationItems();
  const here = useRouterState({ select: (state) => navigationItemOf(state.location.pathname)?.to });
  const list = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls again for each page
  useEffect(() => {
    // Scrolls the entry of the current page into view when the list is longer than the screen.
    const entry = list.current?.querySelector('[aria-current]');
    if (!list.current || !entry) return;
    const below = entry.getBoundingClientRect().bottom - list.current.getBoundingClientRect().bottom;
    if (below > 0) list.current.scrollTop += below + 8;
  }, [here]);
  const entryFor = ({ to, icon: Shown, text }: NavigationItem) => (
    <Tooltip key={to} label={t(text)} position="right" disabled={!narrow}>
      <Link
        to={to}
        className={classes.item ?? ''}
        activeOptions={{ exact: to === '/', includeSearch: false }}
        {...(to === here && { 'aria-current': 'true' })}
      >
        <Shown aria-hidden size={19} stroke={1.7} />
        <span className={narrow ? 'visually-hidden' : undefined}>{t(text)}</span>
      </Link>
    </Tooltip>
  );
  const Toggle = narrow ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse;
  return (
    <>
      <nav ref={list} className={classes.list} aria-label={t('navigation')} data-narrow={narrow || undefined}>
        {groups.map(([group, heading]) => {
          const items = entries.filter((item) => item.group === group);
          if (items.length === 0) return null;
          const isRare = (item: NavigationItem) => item.rare === true && role === 'class_admin';
          const rare = items.filter(isRare);
          return (
            <div key={group} className={classes.group}>
              <div className={narrow ? classes.rule : classes.heading}>{narrow ? null : t(heading)}</div>
              {items.filter((item) => !isRare(item)).map(entryFor)}
              {rare.length > 0 && (
                <details open={rare.some(({ to }) => to === here)}>
                  <summary className={classes.item}>
                    <IconDots aria-hidden size={19} stroke={1.7} />
                    <span className={narrow ? 'visually-hidden' : undefined}>{t('more')}</span>
                  </summary>
                  {rare.map(entryFor)}
                </details>
              )}
            </div>
          );
        })}
      </nav>
      {onToggle && (
        <button
          type="button"
          className={`${classes.item} ${classes.toggle}`}
          data-narrow={narrow || undefined}
          onClick={onToggle}
        >
          <Toggle aria-hidden size={19} stroke={1.7} />
          <span className={narrow ? 'visually-hidden' : undefined}>{t(narrow ? 'expand' : 'collapse')}</span>
        </button>
      )}
    </>
  );
}

/** Returns the entries that the role and the school allow; without a school, only those marked `first`. */
export function useNavigationItems(): readonly NavigationItem[] {
  const mayDo = useMayDo();
  const hasTool = useToolCheck();
  const { school } = useSchools();
  return navigation.filter(
    ({ duty, tool, schoolless }) =>
      mayDo(duty) && (!tool || hasTool(tool)) && (school !== null || schoolless === 'first'),
  );
}
