import { Divider, Stack, Text, Tooltip, UnstyledButton } from '@mantine/core';
import { IconDots, IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand } from '@tabler/icons-react';
import { Link, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { useMayDo, useMe } from '../me.ts';
import { useSchools } from '../school.tsx';
import { useToolCheck } from '../use-is-tool-enabled.ts';
import classes from './AdminShell.module.css';
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
  const here = usePresentItem();
  const list = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls again for each page
  useEffect(() => {
    // Scrolls the entry of the current page into view when the list is longer than the screen.
    const entry = list.current?.querySelector('[aria-current]');
    if (!list.current || !entry) return;
    const below = entry.getBoundingClientRect().bottom - list.current.getBoundingClientRect().bottom;
    if (below > 0) list.current.scrollTop += below + 8;
  }, [here]);
  const look = { className: `mantine-focus-auto ${classes.item}`, 'data-narrow': narrow || undefined };
  const words = (text: string) => <span className={narrow ? 'visually-hidden' : undefined}>{text}</span>;
  const entryFor = (item: NavigationItem) => (
    <Tooltip key={item.to} label={t(item.text)} position="right" disabled={!narrow}>
      <Link {...look} {...linkTo(item, here)}>
        <item.icon aria-hidden size={19} stroke={1.7} />
        {words(t(item.text))}
      </Link>
    </Tooltip>
  );
  const Toggle = narrow ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse;
  return (
    <>
      <nav ref={list} className={classes.list} aria-label={t('navigation')}>
        {groups.map(([group, heading], index) => {
          const items = entries.filter((item) => item.group === group);
          if (items.length === 0) return null;
          const isRare = (item: NavigationItem) => item.rare === true && role === 'class_admin';
          const rare = items.filter(isRare);
          return (
            <Stack key={group} gap={1}>
              {narrow && index > 0 && <Divider mx={8} mt={2} mb={8} color="var(--app-line)" />}
              {!narrow && (
                <Text px={10} pt={2} pb={4} fz="0.75rem" fw={600} c="dimmed">
                  {t(heading)}
                </Text>
              )}
              {items.filter((item) => !isRare(item)).map(entryFor)}
              {rare.length > 0 && (
                <details open={rare.some(({ to }) => to === here)}>
                  <summary {...look}>
                    <IconDots aria-hidden size={19} stroke={1.7} />
                    {words(t('more'))}
                  </summary>
                  {rare.map(entryFor)}
                </details>
              )}
            </Stack>
          );
        })}
      </nav>
      {onToggle && (
        <UnstyledButton {...look} c="dimmed" onClick={onToggle}>
          <Toggle aria-hidden size={19} stroke={1.7} />
          {words(t(narrow ? 'expand' : 'collapse'))}
        </UnstyledButton>
      )}
    </>
  );
}

export function BottomBar() {
  const t = useTexts(texts);
  const { school } = useSchools();
  const entries = useNavigationItems().filter(({ pinned }) => pinned || school === null);
  const here = usePresentItem();
  return (
    <nav className={`${classes.bottomBar} mantine-hidden-from-md no-print`} aria-label={t('quickNavigation')}>
      {entries.map((item) => (
        <Link key={item.to} className={classes.bottomItem ?? ''} {...linkTo(item, here)}>
          <item.icon aria-hidden size={22} stroke={1.7} />
          <span>{t(item.text)}</span>
        </Link>
      ))}
    </nav>
  );
}

const usePresentItem = () =>
  useRouterState({ select: (state) => navigationItemOf(state.location.pathname)?.to });

const linkTo = ({ to }: NavigationItem, here: NavigationItem['to'] | undefined) => ({
  to,
  activeOptions: { exact: to === '/', includeSearch: false },
  ...(to === here && { 'aria-current': 'true' as const }),
});

/** Returns the entries that the role and the school allow; without a school, only those marked `first`. */
function useNavigationItems(): readonly NavigationItem[] {
  const mayDo = useMayDo();
  const hasTool = useToolCheck();
  const { school } = useSchools();
  return navigation.filter(
    ({ duty, tool, schoolless }) =>
      mayDo(duty) && (!tool || hasTool(tool)) && (school !== null || schoolless === 'first'),
  );
}
