import { escapeHtml } from './highlight.ts';
import { addLanguage, type Language, languageTags } from './language.ts';
import { pageTexts } from './page-texts.ts';

export interface Page {
  readonly title: string;
  readonly description: string;
  readonly language: Language;
  readonly current: 'guide' | 'reference' | 'internal' | 'teachers' | 'oneroster';
  readonly stylesheets: readonly string[];
  readonly scripts: readonly string[];
  readonly content: string;
}

const paths = { guide: '/docs/guide', reference: '/docs', teachers: '/docs/teachers-guide' } as const;

/** Renders a page without inline scripts and styles. */
export function renderPage(page: Page): string {
  const texts = pageTexts[page.language];
  const stylesheets = ['/docs/assets/page.css', ...page.stylesheets];
  return `<!doctype html>
<html lang="${languageTags[page.language]}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(page.title)} · Classledger</title>
<meta name="description" content="${escapeHtml(page.description)}">
<link rel="icon" href="/icon.svg" type="image/svg+xml">
${stylesheets.map((href) => `<link rel="stylesheet" href="${href}">`).join('\n')}
${page.scripts.map((src) => `<script type="module" src="${src}"></script>`).join('\n')}
</head>
<body>
<a class="skip" href="#content">${texts.skip}</a>
<header class="bar">
<a class="brand" href="${addLanguage(page.current === 'teachers' ? paths.teachers : paths.guide, page.language)}"><img src="/icon.svg" alt="" width="24" height="24"><span>Classledger</span></a>
<nav aria-label="${texts.documentation}">${renderApiLinks(page)}${renderLanguageLink(page)}</nav>
</header>
${page.content}
</body>
</html>
`;
}

function renderApiLinks({ current, language }: Page): string {
  if (current === 'teachers') return '';
  const links = (['guide', 'reference'] as const).map((id) => {
    const currentAttribute = id === current ? ' aria-current="page"' : '';
    return `<a href="${addLanguage(paths[id], language)}"${currentAttribute}>${pageTexts[language][id]}</a>`;
  });
  const document = current === 'internal' ? '/api/openapi.json' : '/api/v1/openapi.json';
  return `${links.join('')}<a href="${document}">openapi.json</a>`;
}

function renderLanguageLink({ current, language }: Page): string {
  if (current === 'internal' || current === 'oneroster') return '';
  const other = language === 'en' ? 'zh' : 'en';
  const tag = languageTags[other];
  const name = pageTexts[language].otherLanguage;
  return `<a class="language" href="${addLanguage(paths[current], other)}" lang="${tag}" hreflang="${tag}">${name}</a>`;
}
