import { ActionIcon, Alert, Anchor, Box, Drawer, Stack } from '@mantine/core';
import { useDisclosure, useLocalStorage } from '@mantine/hooks';
import { IconMenu2 } from '@tabler/icons-react';
import { Link, useBlocker, useRouterState } from '@tanstack/react-router';
import { type ReactNode, useDeferredValue, useEffect, useLayoutEffect, useRef } from 'react';
import { useIsConnected } from '../../api/connection.ts';
import { PageLoading } from '../../components/LoadingRows.tsx';
import { Logo } from '../../components/Logo.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { announceMoved } from '../../press-guard/guard-presses.ts';
import { StuckMarks } from '../outbox/StuckMarks.tsx';
import { SchoolProvider } from '../school.tsx';
import classes from './AdminShell.module.css';
import { PageOutlet } from './PageOutlet.tsx';
import { BottomBar, Sidebar } from './Sidebar.tsx';
import { texts } from './texts.ts';

export function AdminShell() {
  const t = useTexts(texts);
  // Makes Back close the top dialog, as Escape does. A dialog that ignores Escape stays open, with unsaved content.
  useBlocker({ shouldBlockFn: closeUpperDialog, enableBeforeUnload: false });
  const [drawerOpen, drawer] = useDisclosure();
  const [narrow, setNarrow] = useLocalStorage({
    key: 'classledger.narrow-sidebar',
    defaultValue: false,
    getInitialValueInEffect: false,
  });
  const address = useRouterState({ select: (state) => state.location.pathname });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the drawer closes when the path changes
  useEffect(drawer.close, [address]);
  // Renders the page after its frame, in small pieces, because the router would render both at once.
  const hasFrame = useDeferredValue(true, false);
  return (
    <SchoolProvider>
      <div className={classes.shell} data-narrow={narrow || undefined}>
        <a className={classes.skip} href="#content">
          {t('skip')}
        </a>
        <header className={`${classes.sidebar} mantine-visible-from-md no-print`}>
          <Box px={8} pb={4}>
            <Logo markOnly={narrow} />
          </Box>
          <Sidebar narrow={narrow} onToggle={() => setNarrow(!narrow)} />
        </header>
        <header className={`${classes.topBar} mantine-hidden-from-md no-print`}>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={44}
            aria-label={t('openMenu')}
            onClick={drawer.open}
          >
            <IconMenu2 aria-hidden size={24} />
          </ActionIcon>
          <Logo />
        </header>
        <main id="content" tabIndex={-1} style={{ outline: 'none' }}>
          <div className={classes.content}>
            <OfflineNotice atScoring={address === '/scoring'}>
              <StuckMarks>{hasFrame ? <PageOutlet /> : <PageLoading />}</StuckMarks>
            </OfflineNotice>
          </div>
        </main>
        <BottomBar />
        <Drawer opened={drawerOpen} onClose={drawer.close} title={<Logo />} size={300} padding="sm">
          <Stack gap="sm" h="calc(100dvh - 84px)">
            <Sidebar narrow={false} />
          </Stack>
        </Drawer>
      </div>
    </SchoolProvider>
  );
}

// Always the same function, so that it runs before the blocker of a page, whose question may still be open.
function closeUpperDialog({ action }: { readonly action: string }): boolean {
  const open = document.querySelectorAll('[aria-modal="true"]');
  const upper = open.item(open.length - 1);
  if (action !== 'BACK' || !upper) return false;
  upper.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
  return true;
}

interface OfflineNoticeProps {
  /** True on the scoring page, which shows its own notice about unsent points. */
  readonly atScoring: boolean;
  readonly children: ReactNode;
}

function OfflineNotice({ atScoring, children }: OfflineNoticeProps) {
  const t = useTexts(texts);
  const isConnected = useIsConnected();
  const isShown = !isConnected && !atScoring;
  const whole = useRef<HTMLDivElement>(null);
  const before = useRef(isConnected);
  useLayoutEffect(() => {
    // Announces the move, because the notice appears by itself and moves the page under a finger.
    if (before.current !== isConnected && !atScoring && whole.current) announceMoved(whole.current);
    before.current = isConnected;
  }, [isConnected, atScoring]);
  return (
    <div ref={whole}>
      {isShown && (
        <Alert color="gray" py="xs" mb="md" role="status">
          {t('offline')}{' '}
          <Anchor component={Link} to="/scoring" underline="always" fz="inherit">
            {t('toScoring')}
          </Anchor>
        </Alert>
      )}
      {children}
    </div>
  );
}
