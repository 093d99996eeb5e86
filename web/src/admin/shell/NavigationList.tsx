import { Tooltip } from '@mantine/core';
import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand } from '@tabler/icons-react';
import { Link, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { useMayDo } from '../me.ts';
import { useTools } from '../use-tool.ts';
import classes from './NavigationList.module.css';
import { entryOf, navigation } from './navigation.ts';
import { texts } from './texts.ts';

const groups = [
  ['class', 'groupClass'],
  ['school', 'groupSchool'],
  ['system', 'groupSystem'],
] as const;

interface NavigationListProps {
  /** Icons alone. */
  readonly narrow: boolean;
  readonly onToggle?: () => void;
}

/** The pages that the administrator's role may open, in groups. */
export function NavigationList({ narrow, onToggle }: NavigationListProps) {
  const t = useTexts(texts);
  const mayDo = useMayDo();
  const hasTool = useTools();
  const here = useRouterState({ select: (state) => entryOf(state.location.pathname)?.to });
  const list = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each page has its own entry
  useEffect(() => {
    // Where the list is longer than the screen is high, the page that is open is not below its end.
    const entry = list.current?.querySelector('[aria-current]');
    if (!list.current || !entry) return;
    const below = entry.getBoundingClientRect().bottom - list.current.getBoundingClientRect().bottom;
    if (below > 0) list.current.scrollTop += below + 8;
  }, [here]);
  const Toggle = narrow ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse;
  return (
    <>
      <nav ref={list} className={classes.list} aria-label={t('navigation')} data-narrow={narrow || undefined}>
        {groups.map(([group, heading]) => {
          const items = navigation.filter(
            (item) => item.group === group && mayDo(item.duty) && (!item.tool || hasTool(item.tool)),
          );
          if (items.length === 0) return null;
          return (
            <div key={group} className={classes.group}>
              <div className={narrow ? classes.rule : classes.heading}>{narrow ? null : t(heading)}</div>
              {items.map(({ to, icon: Shown, text }) => (
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
              ))}
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
