import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { unpackChromium } from './unpacked-chromium.ts';

/**
 * Starts the Chromium that comes with an npm package: nothing is installed on the machine, and it runs as
 * root. The flags that the package recommends are left out on purpose: they switch off the same-origin policy,
 * and a single process dies with the first context that is closed.
 *
 * @param fonts the one that comes along, or whatever the machine has
 */
export async function launchBrowser({
  fonts = 'own',
}: {
  fonts?: 'own' | 'installed';
} = {}): Promise<Browser> {
  const { executablePath, env } = await unpackChromium();
  // Pictures show Chinese where the machine has a font for it; tests measure the same everywhere.
  if (fonts === 'installed') delete env.FONTCONFIG_FILE;
  // Vitest gives its workers half a second to end: too little for a browser to be closed in order, enough for it
  // to be killed and its folders to be removed, which Playwright does when the process exits.
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

/** The browser of this process, started once; people are kept apart by their contexts. */
export function theBrowser(): Promise<Browser> {
  shared ??= launchBrowser().then((browser) => {
    browser.on('disconnected', () => {
      shared = undefined;
    });
    return browser;
  });
  return shared;
}

/** The contexts that are open in this process. */
export const openContexts = async (): Promise<BrowserContext[]> =>
  shared === undefined ? [] : (await shared).contexts();

/** The kinds of screens that pages are looked at with. */
export const screens = {
  desktop: { width: 1440, height: 900 },
  phone: { width: 390, height: 844 },
  tablet: { width: 820, height: 1180 },
  /** A large tablet, or a board on the wall: the page of a desktop, below fingers. */
  board: { width: 1366, height: 1024 },
} as const;

/** What a person would have in front of them. */
export interface Look {
  readonly screen: keyof typeof screens;
  readonly colorScheme: 'light' | 'dark';
}

/** Every screen in light and in dark. */
export const looks: readonly Look[] = (['desktop', 'phone'] as const).flatMap((screen) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ screen, colorScheme })),
);

/** What is done to every new context before it has a page, by name. */
export const preparations = new Map<string, (context: BrowserContext) => Promise<void>>();

/** What has not shown by then hangs: a busy machine takes its time. */
const hangingMs = 120_000;

/** A page whose context remembers what went wrong in its pages. */
export interface WatchedPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors on the console, uncaught exceptions, answers of 400 and above, and foreign addresses that were asked for. */
  readonly complaints: string[];
}

/**
 * Opens an empty page, in a context of its own that watches its pages. A test's contexts are closed after it.
 *
 * @param look.offline with the workers that open the apps without a network; they load all pages of an app
 * @param look.calm as for a person who prefers reduced motion, which also saves the time of the motions
 */
export async function openWatched(
  origin: string,
  look: Look & { readonly calm?: boolean; readonly offline?: boolean },
): Promise<WatchedPage> {
  const { screen, colorScheme, calm = false, offline = false } = look;
  const context = await (await theBrowser()).newContext({
    viewport: screens[screen],
    serviceWorkers: offline ? 'allow' : 'block',
    colorScheme,
    reducedMotion: calm ? 'reduce' : 'no-preference',
    ...(screen !== 'desktop' && { hasTouch: true, isMobile: true }),
  });
  context.setDefaultTimeout(hangingMs);
  for (const prepare of preparations.values()) await prepare(context);
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
  return { page: await context.newPage(), context, complaints };
}
