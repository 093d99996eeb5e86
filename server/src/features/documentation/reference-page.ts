import { htmlOf, type Page } from './page-shell.ts';

const subjects = {
  reference: {
    title: 'API reference',
    description: 'Every operation of the Classledger API with its fields, answers and errors.',
    document: '/api/v1/openapi.json',
    otherwise: 'The <a href="/docs/guide">guide</a> does not, and',
  },
  internal: {
    title: 'Internal API reference',
    description: 'Every operation that the pages of Classledger call, with its fields, answers and errors.',
    document: '/api/openapi.json',
    otherwise: 'Without it,',
  },
} as const satisfies Partial<Record<Page['current'], object>>;

/** The page that shows one of the OpenAPI documents; the viewer fills it in. */
export function referencePage(subject: keyof typeof subjects): string {
  const { title, description, document, otherwise } = subjects[subject];
  return htmlOf({
    title,
    description,
    current: subject,
    stylesheets: ['/docs/assets/reference.css'],
    scripts: ['/docs/assets/viewer.js', '/docs/assets/reference.js'],
    content: `<div id="content" tabindex="-1">
<noscript><p class="notice">The reference needs JavaScript. ${otherwise} <a href="${document}">openapi.json</a> holds the same facts.</p></noscript>
<div id="reference" data-document="${document}"></div>
</div>`,
  });
}
