import {
  Center,
  Divider,
  Popover,
  Select,
  Stack,
  Text,
  ThemeIcon,
  Tooltip,
  UnstyledButton,
} from '@mantine/core';
import {
  IconBook,
  IconDots,
  IconLayoutSidebarLeftCollapse,
  IconLayoutSidebarLeftExpand,
  IconLogout,
  IconUser,
} from '@tabler/icons-react';
import { Link, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import bar from '../../components/BottomBar.module.css';
import { ColorSchemeSwitch } from '../../components/ColorSchemeSwitch.tsx';
import { LanguageSwitch } from '../../components/LanguageSwitch.tsx';
import { lettersOf } from '../../i18n/letters.ts';
import { useLanguage, useTexts } from '../../i18n/texts.ts';
import { useMayDo, useMe } from '../me.ts';
import { useSchools } from '../school.tsx';
import { useToolCheck } from '../use-is-tool-enabled.ts';
import { useSignOut } from '../use-sign-out.tsx';
import classes from './AdminShell.module.css';
import { type NavigationItem, navigation, navigationItemOf, schoolIcon as SchoolIcon } from './navigation.ts';
import { texts } from './texts.ts';

const groups = [
  ['class', 'class'],
  ['school', 'school'],
  ['system', 'groupSystem'],
] as const;

interface SidebarProps {
  readonly narrow: boolean;
  readonly onToggle?: () => void;
}

export function Sidebar({ narrow, onToggle }: SidebarProps) {
  return (
    <>
      <SchoolPicker narrow={narrow} />
      <NavigationList narrow={narrow} {...(onToggle && { onToggle })} />
      <UserMenu narrow={narrow} />
    </>
  );
}

function NavigationList({ narrow, onToggle }: SidebarProps) {
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
    <nav
      className={`${bar.bar} mantine-hidden-from-md no-print`}
      aria-label={t('quickNavigation')}
      data-bottom-bar=""
    >
      {entries.map((item) => (
        <Link key={item.to} className={bar.item ?? ''} {...linkTo(item, here)}>
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

function SchoolPicker({ narrow }: { readonly narrow: boolean }) {
  const t = useTexts(texts);
  const { schools, school, choose } = useSchools();
  if (!school) return null;
  if (narrow) {
    return (
      <Tooltip label={school.name} position="right">
        <Center mih={36} c="dimmed" role="img" aria-label={school.name}>
          <SchoolIcon aria-hidden size={19} stroke={1.7} />
        </Center>
      </Tooltip>
    );
  }
  if (schools.length === 1) {
    return (
      <Text px={10} size="sm" c="dimmed" truncate title={school.name}>
        {school.name}
      </Text>
    );
  }
  return (
    <Select
      aria-label={t('school')}
      leftSection={<SchoolIcon aria-hidden size={17} stroke={1.7} />}
      data={schools.map(({ schoolDb, name }) => ({ value: schoolDb, label: name }))}
      value={school.schoolDb}
      onChange={(chosen) => chosen !== null && choose(chosen)}
      searchable
      allowDeselect={false}
      limit={100}
    />
  );
}

/** A popover instead of a menu, because for screen readers a menu must not contain settings. */
function UserMenu({ narrow }: { readonly narrow: boolean }) {
  const t = useTexts(texts);
  const language = useLanguage();
  const me = useMe();
  const { signOut, dialog } = useSignOut();
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Popover opened={opened} onChange={setOpened} position="top-start" width={228} shadow="md" trapFocus>
        <Popover.Target>
          <UnstyledButton
            onClick={() => setOpened(!opened)}
            className={classes.item ?? ''}
            mih={44}
            data-narrow={narrow || undefined}
            {...(narrow && { 'aria-label': t('userMenu', { name: me.username }) })}
          >
            <ThemeIcon size={32} radius="xl" variant="light" color="teal" fz={12.8} fw="bold" aria-hidden>
              {lettersOf(me.username)[0]?.toUpperCase()}
            </ThemeIcon>
            {!narrow && (
              <Stack component="span" gap={0} miw={0} lh={1.3}>
                <Text span inherit fw={600} truncate>
                  {me.username}
                </Text>
                <Text span lh="inherit" fz="0.75rem" c="dimmed">
                  {t(me.role)}
                </Text>
              </Stack>
            )}
          </UnstyledButton>
        </Popover.Target>
        <Popover.Dropdown className={classes.menu ?? ''} p={4}>
          <Link to="/account" className={classes.item ?? ''} onClick={() => setOpened(false)}>
            <IconUser aria-hidden size={17} />
            {t('account')}
          </Link>
          <a
            href={`/docs/teachers-guide?lang=${language}`}
            target="_blank"
            className={classes.item ?? ''}
            onClick={() => setOpened(false)}
            rel="noopener"
          >
            <IconBook aria-hidden size={17} />
            {t('teachersGuide')}
          </a>
          <Stack gap={6} my={4} px={6} py={8} style={{ borderBlock: '1px solid var(--app-line)' }}>
            <LanguageSwitch fullWidth />
            <ColorSchemeSwitch fullWidth />
          </Stack>
          <UnstyledButton
            className={classes.item ?? ''}
            onClick={() => {
              setOpened(false);
              signOut();
            }}
          >
            <IconLogout aria-hidden size={17} />
            {t('signOut')}
          </UnstyledButton>
        </Popover.Dropdown>
      </Popover>
      {/* Outside the popover, because a touch on the dialog closes the popover. */}
      {dialog}
    </>
  );
}
