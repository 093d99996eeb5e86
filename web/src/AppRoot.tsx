import './theme/nonce.ts';
import '@mantine/core/styles.layer.css';
import './theme/base.css';
import { MantineProvider, mergeThemeOverrides } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, StrictMode, useMemo } from 'react';
import { createRoot } from 'react-dom/client';
import { createQueryClient } from './api/query-client.ts';
import { ErrorBoundary } from './components/ErrorBoundary.tsx';
import { OutdatedNotice } from './components/OutdatedNotice.tsx';
import { commonTexts } from './i18n/common-texts.ts';
import { startLanguages } from './i18n/language.ts';
import { useTexts } from './i18n/texts.ts';
import { watchForNewerPages } from './newer-pages.ts';
import { colorSchemeManager } from './theme/color-scheme.ts';
import { styleNonce } from './theme/nonce.ts';
import { printLight } from './theme/print-light.ts';
import { theme } from './theme/theme.ts';

/** Puts one of the three apps on its page, with what all of them stand on. */
export function startApp(app: ReactNode): void {
  startLanguages();
  printLight();
  watchForNewerPages();
  const root = document.getElementById('root');
  if (!root) throw new Error('The page has no root element');
  createRoot(root).render(
    <StrictMode>
      <Themed>
        <QueryClientProvider client={createQueryClient()}>
          <ErrorBoundary>{app}</ErrorBoundary>
          <OutdatedNotice />
        </QueryClientProvider>
      </Themed>
    </StrictMode>,
  );
}

/** Gives everything its looks. The cross of a dialog has a name only here: nowhere else is the language known. */
function Themed({ children }: { readonly children: ReactNode }) {
  const c = useTexts(commonTexts);
  const close = c('close');
  const named = useMemo(() => {
    const defaultProps = { closeButtonProps: { 'aria-label': close } };
    return mergeThemeOverrides(theme, { components: { Modal: { defaultProps }, Drawer: { defaultProps } } });
  }, [close]);
  return (
    <MantineProvider
      theme={named}
      defaultColorScheme="auto"
      colorSchemeManager={colorSchemeManager}
      getStyleNonce={() => styleNonce}
    >
      {children}
    </MantineProvider>
  );
}
