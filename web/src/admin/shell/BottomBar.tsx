import { Link, useRouterState } from '@tanstack/react-router';
import { useTexts } from '../../i18n/texts.ts';
import { useSchools } from '../school.tsx';
import classes from './AdminShell.module.css';
import { useNavigationItems } from './NavigationList.tsx';
import { navigationItemOf } from './navigation.ts';
import { texts } from './texts.ts';

export function BottomBar() {
  const t = useTexts(texts);
  const { school } = useSchools();
  const entries = useNavigationItems().filter(({ pinned }) => pinned || school === null);
  const here = useRouterState({ select: (state) => navigationItemOf(state.location.pathname)?.to });
  return (
    <nav className={classes.bottomBar} aria-label={t('quickNavigation')}>
      {entries.map(({ to, icon: Shown, text }) => (
        <Link
          key={to}
          to={to}
          className={classes.bottomItem ?? ''}
          activeOptions={{ exact: to === '/', includeSearch: false }}
          {...(to === here && { 'aria-current': 'true' })}
        >
          <Shown aria-hidden size={22} stroke={1.7} />
          <span>{t(text)}</span>
        </Link>
      ))}
    </nav>
  );
}
