import { htmlOf } from './page-shell.ts';

/** The page that shows the OpenAPI document; the viewer fills it in. */
export function referencePage(): string {
  return htmlOf({
    title: 'API reference',
    description: 'Every operation of the Classledger API with its fields, answers and errors.',
    current: 'reference',
    stylesheets: ['/docs/assets/reference.css'],
    scripts: ['/docs/assets/viewer.js', '/docs/assets/reference.js'],
    content: `<div id="content" tabindex="-1">
<noscript><p class="notice">The reference needs JavaScript. The <a href="/docs/guide">guide</a> does not, and <a href="/api/v1/openapi.json">openapi.json</a> holds the same facts.</p></noscript>
<div id="reference"></div>
</div>`,
  });
}
