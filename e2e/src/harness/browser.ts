import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { unpackChromium } from './unpacked-chromium.ts';

/**
 * Starts the Chromium of an npm package, without installation and as root.
 * It omits the flags that the package recommends: they disable the same-origin policy and crash when a context closes.
 */
export async function launchBrowser({
  fonts = 'own',
}: {
  fonts?: 'own' | 'installed';
} = {}): Promise<Browser> {
  const { executablePath, env } = await unpackChromium();
  // Screenshots need the machine's Chinese fonts; tests need the same font everywhere.
  if (fonts === 'installed') delete env.FONTCONFIG_FILE;
  // Vitest gives workers half a second to end. Playwright then kills the browser when the process exits.
  process.once('SIGTERM', () => process.exit(143));
  return chromium.launch({
    executablePath,
    env,
    handleSIGTERM: false,
    args: [
      // The sandbox refuses to run as root.
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--disable-component-update',
      // A page lives for seconds here: optimizing its code and collecting its garbage early take a sixth of the processor time.
      '--js-flags=--no-opt --no-maglev --min-semi-space-size=16',
    ],
  });
}

let shared: Promise<Browser> | undefined;

/** Starts the browser of this process once; each person gets a context. */
export function sharedBrowser(): Promise<Browser> {
  shared ??= launchBrowser().then((browser) => {
    browser.on('disconnected', () => {
      shared = undefined;
    });
    return browser;
  });
  return shared;
}

/** Lists the open contexts of this process. */
export const openContexts = async (): Promise<BrowserContext[]> =>
  shared === undefined ? [] : (await shared).contexts();

export const screens = {
  desktop: { width: 1440, height: 900 },
  phone: { width: 390, height: 844 },
} as const;

export interface Look {
  readonly screen: keyof typeof screens;
  readonly colorScheme: 'light' | 'dark';
}

export const looks: readonly Look[] = (['desktop', 'phone'] as const).flatMap((screen) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ screen, colorScheme })),
);

/** Run on every new context before its first page, by name. */
export const contextSetups = new Map<string, (context: BrowserContext) => Promise<void>>();

/** Generous, for busy machines. */
const hangingMs = 120_000;

export interface WatchedPage {
  readonly origin: string;
  readonly page: Page;
  readonly context: BrowserContext;
  /** Console errors, uncaught exceptions, answers of 400 and above, and requests to foreign addresses. */
  readonly complaints: string[];
}

export interface PageOptions extends Partial<Look> {
  readonly reducedMotion?: boolean;
  /** Allows service workers. */
  readonly offline?: boolean;
}

/** Opens a page in its own context. */
export async function openWatchedPage(origin: string, options: PageOptions = {}): Promise<WatchedPage> {
  const { screen = 'desktop', colorScheme = 'light', reducedMotion = true, offline = false } = options;
  const context = await (await sharedBrowser()).newContext({
    viewport: screens[screen],
    serviceWorkers: offline ? 'allow' : 'block',
    colorScheme,
    reducedMotion: reducedMotion ? 'reduce' : 'no-preference',
    ...(screen !== 'desktop' && { hasTouch: true, isMobile: true }),
  });
  context.setDefaultTimeout(hangingMs);
  for (const prepare of contextSetups.values()) await prepare(context);
  const complaints: string[] = [];
  context.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  context.on('weberror', (error) => complaints.push(String(error.error())));
  context.on('response', (response) => {
    if (response.status() >= 400) complaints.push(`${response.status()} ${response.url()}`);
  });
  context.on('request', (request) => {
    const url = new URL(request.url());
    if (url.origin !== origin && url.protocol !== 'data:' && !request.url().startsWith(`blob:${origin}/`)) {
      complaints.push(`Asked for ${request.url()}`);
    }
  });
  return { origin, page: await context.newPage(), context, complaints };
}
