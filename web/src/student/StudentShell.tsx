import { Box, Button } from '@mantine/core';
import {
  type Icon,
  IconHome,
  IconListDetails,
  IconMapSearch,
  IconSpeakerphone,
  IconUser,
  IconUsers,
} from '@tabler/icons-react';
import { useIsConnected } from '../api/connection.ts';
import bar from '../components/BottomBar.module.css';
import { EmptyState } from '../components/EmptyState.tsx';
import { ErrorBoundary } from '../components/ErrorBoundary.tsx';
import { ErrorState } from '../components/ErrorState.tsx';
import { LoadingRows } from '../components/LoadingRows.tsx';
import { Logo } from '../components/Logo.tsx';
import { useTexts } from '../i18n/texts.ts';
import classes from './StudentShell.module.css';
import { type Tab, TabLink, tabs, useTab } from './tab.tsx';
import { useTabPage } from './tab-pages.ts';
import { texts } from './texts.ts';

const icons: Readonly<Record<Tab, Icon>> = {
  home: IconHome,
  records: IconListDetails,
  class: IconUsers,
  news: IconSpeakerphone,
  account: IconUser,
};

export function StudentShell() {
  const t = useTexts(texts);
  const [present] = useTab();
  const isConnected = useIsConnected();
  const Page = useTabPage(present);
  const isInner = present !== null && present !== 'home';
  return (
    <div className={classes.shell}>
      <header className={classes.header} data-inner={isInner || undefined}>
        <Box {...(isInner && { visibleFrom: 'sm' })}>
          <Logo />
        </Box>
      </header>
      <nav className={`${bar.bar} ${classes.tabs}`} aria-label={t('navigation')}>
        {tabs.map((tab) => {
          const Shown = icons[tab];
          return (
            <TabLink key={tab} to={tab} className={`${bar.item} ${classes.tab}`}>
              <Shown aria-hidden size={22} stroke={1.7} />
              <span>{t(tab)}</span>
            </TabLink>
          );
        })}
      </nav>
      <p className={classes.offline} role="status">
        {!isConnected && t('offline')}
      </p>
      <Box component="main" p="12px 16px 24px">
        <ErrorBoundary key={present}>
          {present === null && <NotFound />}
          {present !== null && Page === null && <LoadingRows />}
          {Page instanceof Error && <ErrorState error={Page} onRetry={() => location.reload()} />}
          {Page && !(Page instanceof Error) && <Page />}
        </ErrorBoundary>
      </Box>
    </div>
  );
}

function NotFound() {
  const t = useTexts(texts);
  const [, openTab] = useTab();
  return (
    <EmptyState
      isPage
      icon={IconMapSearch}
      title={t('notFoundTitle')}
      hint={t('notFoundHint')}
      action={
        <Button mt="xs" variant="default" onClick={() => openTab('home')}>
          {t('toHome')}
        </Button>
      }
    />
  );
}
