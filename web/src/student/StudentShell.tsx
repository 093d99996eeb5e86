import {
  type Icon,
  IconHome,
  IconListDetails,
  IconSpeakerphone,
  IconUser,
  IconUsers,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { ErrorBoundary } from '../components/ErrorBoundary.tsx';
import { Logo } from '../components/Logo.tsx';
import { useTexts } from '../i18n/texts.ts';
import { AccountPage } from './pages/account/AccountPage.tsx';
import { ClassPage } from './pages/class/ClassPage.tsx';
import { HomePage } from './pages/home/HomePage.tsx';
import { NewsPage } from './pages/news/NewsPage.tsx';
import { RecordsPage } from './pages/records/RecordsPage.tsx';
import classes from './StudentShell.module.css';
import { hrefOf, type Tab, tabs, useTab } from './tab.ts';
import { texts } from './texts.ts';

const sections: Readonly<Record<Tab, { readonly Shown: Icon; readonly Page: ComponentType }>> = {
  home: { Shown: IconHome, Page: HomePage },
  records: { Shown: IconListDetails, Page: RecordsPage },
  class: { Shown: IconUsers, Page: ClassPage },
  news: { Shown: IconSpeakerphone, Page: NewsPage },
  account: { Shown: IconUser, Page: AccountPage },
};

/** The five tabs: at the bottom of a phone, at the top of anything wider. */
export function StudentShell() {
  const t = useTexts(texts);
  const [present, go] = useTab();
  const { Page } = sections[present];
  return (
    <div className={classes.shell}>
      <header className={classes.header}>
        <Logo />
      </header>
      <nav className={classes.tabs} aria-label={t('navigation')}>
        {tabs.map((tab) => {
          const { Shown } = sections[tab];
          return (
            <a
              key={tab}
              href={hrefOf(tab)}
              className={classes.tab}
              aria-current={tab === present ? 'page' : undefined}
              onClick={(event) => {
                if (event.ctrlKey || event.metaKey || event.shiftKey) return;
                event.preventDefault();
                go(tab);
              }}
            >
              <Shown aria-hidden size={22} stroke={1.7} />
              <span>{t(tab)}</span>
            </a>
          );
        })}
      </nav>
      <main className={classes.main}>
        <ErrorBoundary key={present}>
          <Page />
        </ErrorBoundary>
      </main>
    </div>
  );
}
