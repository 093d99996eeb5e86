import { Tooltip } from '@mantine/core';
import { IconDots, IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand } from '@tabler/icons-react';
import { Link, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { useMe } from '../me.ts';
import classes from './NavigationList.module.css';
import { type NavigationItem, navigationItemOf } from './navigation.ts';
import { texts } from './texts.ts';
import { useNavigationItems } from './use-navigation-items.ts';

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
