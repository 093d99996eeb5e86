import { escapeHtml } from './highlight.ts';

/** A page of the documentation before it is dressed. */
export interface Page {
  readonly title: string;
  readonly description: string;
  /** Which entry of the header leads here. */
  readonly current: 'guide' | 'reference' | 'internal';
  /** Stylesheets and scripts, as paths; the shared stylesheet is always there. */
  readonly stylesheets: readonly string[];
  readonly scripts: readonly string[];
  /** HTML of the page below the header, the main element included. */
  readonly content: string;
}

const entries = [
  { id: 'guide', href: '/docs/guide', label: 'Guide' },
  { id: 'reference', href: '/docs', label: 'Reference' },
] as const;

/** The document behind a page; the pages of the external API are about the same one. */
const documents: Readonly<Record<Page['current'], string>> = {
  guide: '/api/v1/openapi.json',
  reference: '/api/v1/openapi.json',
  internal: '/api/openapi.json',
};

/** The whole HTML of a page: header with product name and navigation, then the content. No inline code. */
export function htmlOf(page: Page): string {
  const stylesheets = ['/docs/assets/page.css', ...page.stylesheets];
  const document = { id: 'document', href: documents[page.current], label: 'openapi.json' };
  const links = [...entries, document].map(({ id, href, label }) => {
    const current = id === page.current ? ' aria-current="page"' : '';
    return `<a href="${href}"${current}>${label}</a>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(page.title)} · Classledger</title>
<meta name="description" content="${escapeHtml(page.description)}">
<link rel="icon" href="/docs/assets/icon.svg" type="image/svg+xml">
${stylesheets.map((href) => `<link rel="stylesheet" href="${href}">`).join('\n')}
${page.scripts.map((src) => `<script src="${src}" defer></script>`).join('\n')}
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="bar">
<a class="brand" href="/docs/guide"><img src="/docs/assets/icon.svg" alt="" width="24" height="24"><span>Classledger</span></a>
<nav aria-label="Documentation">${links.join('')}</nav>
</header>
${page.content}
</body>
</html>
`;
}
