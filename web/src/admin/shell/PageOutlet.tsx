import { Button, Group } from '@mantine/core';
import { IconLock, IconMapSearch, IconWifiOff } from '@tabler/icons-react';
import { Link, Outlet, useMatches } from '@tanstack/react-router';
import { lazy } from 'react';
import { EmptyState } from '../../components/EmptyState.tsx';
import { ErrorFallback, LazyBoundary } from '../../components/ErrorBoundary.tsx';
import { usePageTitle } from '../../i18n/page-title.ts';
import { useTexts } from '../../i18n/texts.ts';
import { reloadPage } from '../../new-version.ts';
import { PageNotLoaded } from '../lazy-page.ts';
import { useMayDo } from '../me.ts';
import { useSchools } from '../school.tsx';
import { dutyOf, navigationItemOf } from './navigation.ts';
import { texts } from './texts.ts';

const NoSchools = lazy(() => import('../installation/NoSchools.tsx'));

export function PageOutlet() {
  const t = useTexts(texts);
  const mayDo = useMayDo();
  const { school } = useSchools();
  // Takes the path of the page that is shown: the URL changes before the next page has loaded.
  const path = useMatches({ select: (matches) => matches.at(-1)?.pathname ?? '/' });
  const item = navigationItemOf(path);
  const duty = dutyOf(path);
  if (duty && !mayDo(duty)) {
    return (
      <EmptyState
        isPage
        icon={IconLock}
        title={t('notAllowedTitle')}
        hint={t('notAllowedHint')}
        action={<ToDashboard />}
      />
    );
  }
  if (item && !item.schoolless && !school) {
    return (
      <LazyBoundary>
        <NoSchools isPage />
      </LazyBoundary>
    );
  }
  // The key remounts pages for another school, except system pages: creating a school there also chooses it.
  return <Outlet key={item?.group === 'system' ? item.to : (school?.schoolDb ?? 'none')} />;
}

export function NotFoundPage() {
  const t = useTexts(texts);
  usePageTitle(t('notFoundTitle'));
  return (
    <EmptyState
      isPage
      icon={IconMapSearch}
      title={t('notFoundTitle')}
      hint={t('notFoundHint')}
      action={<ToDashboard />}
    />
  );
}

function ToDashboard() {
  const t = useTexts(texts);
  return (
    <Button component={Link} to="/" variant="default" mt="xs">
      {t('toDashboard')}
    </Button>
  );
}

export function PageError({ error }: { readonly error: unknown }) {
  const t = useTexts(texts);
  if (!(error instanceof PageNotLoaded)) return <ErrorFallback />;
  return (
    <EmptyState
      isPage
      icon={IconWifiOff}
      title={t('notLoadedTitle')}
      hint={t('notLoadedHint')}
      action={
        <Group mt="xs" gap="xs" justify="center">
          <Button variant="default" onClick={() => void reloadPage()}>
            {t('retry')}
          </Button>
          <Button component={Link} to="/scoring">
            {t('toScoring')}
          </Button>
        </Group>
      }
    />
  );
}
