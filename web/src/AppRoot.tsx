import './theme/nonce.ts';
import '@mantine/core/styles.layer.css';
import './theme/base.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { watchConnection } from './api/connection.ts';
import { createQueryClient } from './api/queries.ts';
import { ErrorBoundary } from './components/ErrorBoundary.tsx';
import { OutdatedNotice } from './components/OutdatedNotice.tsx';
import { initLanguage } from './i18n/language.ts';
import { watchForNewVersion } from './new-version.ts';
import { guardPresses } from './press-guard/guard-presses.ts';
import { styleNonce } from './theme/nonce.ts';
import { colorSchemeManager, darkTints, printLight, theme } from './theme/theme.ts';

export function startApp(app: ReactNode, client = createQueryClient()): void {
  initLanguage();
  printLight();
  watchForNewVersion();
  watchConnection(client);
  guardPresses();
  const root = document.getElementById('root');
  if (!root) throw new Error('The HTML page has no element with the id "root": add <div id="root">');
  const page = (
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={darkTints}
        defaultColorScheme="auto"
        colorSchemeManager={colorSchemeManager}
        getStyleNonce={() => styleNonce}
        // One style element for many rows with the same responsive properties.
        deduplicateInlineStyles
      >
        <QueryClientProvider client={client}>
          <ErrorBoundary>{app}</ErrorBoundary>
          <OutdatedNotice />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>
  );
  // Renders in small pieces, so that the page reacts to taps in between, even on a slow processor.
  startTransition(() => createRoot(root).render(page));
}
