import { escapeHtml } from '../highlight.ts';
import type { Language } from '../language.ts';
import { Prose } from '../markdown.ts';
import type { Json } from '../openapi-schemas.ts';
import { htmlOf } from '../page-shell.ts';
import { type PageTexts, pageTexts } from '../page-texts.ts';
import { type Chapter, DocumentReader } from './document-reader.ts';
import { Fields } from './fields.ts';
import { failureList, headerList } from './html.ts';
import { OperationPart } from './operation-part.ts';

/** Returns the page of an OpenAPI document that is already in the language. */
export function referencePage(subject: 'reference' | 'internal', document: Json, language: Language): string {
  const texts = pageTexts[language];
  const prose = new Prose(language);
  const reader = new DocumentReader(document);
  const { chapters, info } = reader;
  const part = new OperationPart(reader, new Fields(reader, texts, prose), texts, prose);
  const chapter = ({ id, title, description, operations, messages }: Chapter) => `<section class="chapter">
<h2 id="tag/${id}">${escapeHtml(title)}</h2>
${prose.block(description)}${[...operations.map((operation) => part.of(operation)), ...messages.map((message) => part.ofMessage(message))].join('\n')}
</section>`;
  return htmlOf({
    title: subject === 'reference' ? texts.referenceTitle : texts.internalTitle,
    description: subject === 'reference' ? texts.referenceDescription : texts.internalDescription,
    language,
    current: subject,
    stylesheets: ['/docs/assets/code.css', '/docs/assets/reference.css', '/docs/assets/try.css'],
    scripts: ['/docs/assets/reference.js', '/docs/assets/try.js', '/docs/assets/copy.js'],
    content: `<div class="reference">
<nav class="operations" aria-label="${texts.contents}">${contentsOf(chapters)}</nav>
<main id="content" tabindex="-1" data-sending="${texts.sending}" data-unreachable="${texts.unreachable}" data-sent="${texts.sent}" data-answered="${texts.answered}" data-headers="${texts.answerHeaders}" data-not-json="${texts.notJson}" data-copy="${texts.copy}" data-copied="${texts.copied}" data-copy-block="${texts.copyBlock}" data-found="${texts.found}" data-nothing-found="${texts.nothingFound}">
<h1>${escapeHtml(info.title)}</h1>
<div class="filter" role="search" hidden><label>${texts.filter}<input type="search" placeholder="${texts.filterHint}" autocomplete="off" spellcheck="false"></label><p role="status"></p></div>
<noscript><p class="notice">${texts.noScript}</p></noscript>
<div class="introduction">${prose.block(info.description)}
${subject === 'reference' ? takeAlong(texts) : ''}</div>
${chapters.map(chapter).join('\n')}
<section class="chapter">
<h2 id="errors">${texts.sharedErrors}</h2>
<p>${texts.sharedErrorsHint}</p>
${failureList(reader.sharedFailures, prose)}
</section>
<section class="chapter">
<h2 id="headers">${texts.answerHeaders}</h2>
${headerList(reader.headers, prose)}
</section>
</main>
<dialog aria-labelledby="sure"><h2 id="sure">${texts.sure}</h2><p><code></code></p><p>${texts.sureText}</p><div><button type="button" autofocus value="">${texts.cancel}</button><button type="button" class="danger" value="yes">${texts.deleteIt}</button></div></dialog>
</div>`,
  });
}

function takeAlong(texts: PageTexts): string {
  const files = [
    ['/api/v1/openapi.json', texts.openApiDocument],
    ['/llms.txt', texts.forModels],
  ];
  const links = files.map(([href, name]) => `<a href="${href}">${name}</a>`);
  return `<p class="along"><span>${texts.takeAlong}</span> ${links.join(' ')} <small>${texts.importHint}</small></p>`;
}

function contentsOf(chapters: readonly Chapter[]): string {
  const items = chapters.map(({ id, title, operations, messages }) => {
    const links = operations.map(
      ({ id: operation, method, title: name }) =>
        `<li data-operation="${operation}"><a href="#${operation}"><span class="method ${method.toLowerCase()}">${method}</span> <span>${escapeHtml(name)}</span></a></li>`,
    );
    const received = messages.map(
      ({ id: message, type }) =>
        `<li data-operation="${message}"><a href="#${message}" class="message">${escapeHtml(type)}</a></li>`,
    );
    return `<li><a href="#tag/${id}">${escapeHtml(title)}</a><ul>${[...links, ...received].join('')}</ul></li>`;
  });
  return `<ul>${items.join('\n')}</ul>`;
}
