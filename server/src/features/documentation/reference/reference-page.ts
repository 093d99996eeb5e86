import { escapeHtml } from '../highlight.ts';
import type { Language } from '../language.ts';
import { definitionList, MarkdownRenderer } from '../markdown-renderer.ts';
import type { OpenApiDocument } from '../openapi-document.ts';
import { renderPage } from '../page-shell.ts';
import { type PageTexts, pageTexts } from '../page-texts.ts';
import { DocumentReader } from './document-reader.ts';
import { OperationRenderer } from './operation-renderer.ts';

/** Expects a document that is already translated into `language`. */
export function renderReferencePage(
  subject: 'reference' | 'internal',
  document: OpenApiDocument,
  language: Language,
): string {
  const texts = pageTexts[language];
  const markdown = new MarkdownRenderer(language);
  const reader = new DocumentReader(document);
  const { chapters } = reader;
  const { info } = document;
  const renderer = new OperationRenderer(reader, texts, markdown);
  const renderChapter = ({
    id,
    title,
    description,
    operations,
    messages,
  }: DocumentReader['chapters'][number]) => `<section class="chapter">
<h2 id="tag/${id}">${escapeHtml(title)}</h2>
${markdown.renderBlock(description)}${[...operations.map((operation) => renderer.renderOperation(operation)), ...messages.map((message) => renderer.renderMessage(message))].join('\n')}
</section>`;
  return renderPage({
    title: subject === 'reference' ? texts.referenceTitle : texts.internalTitle,
    description: subject === 'reference' ? texts.referenceDescription : texts.internalDescription,
    language,
    current: subject,
    stylesheets: ['/docs/assets/reference.css', '/docs/assets/try.css'],
    scripts: ['/docs/assets/reference.js', '/docs/assets/try.js', '/docs/assets/copy.js'],
    content: `<div class="reference">
<nav class="operations" aria-label="${texts.contents}">${renderContents(chapters)}</nav>
<main id="content" tabindex="-1" data-sending="${texts.sending}" data-unreachable="${texts.unreachable}" data-sent="${texts.sent}" data-answered="${texts.answered}" data-headers="${texts.answerHeaders}" data-not-json="${texts.notJson}" data-copy="${texts.copy}" data-copied="${texts.copied}" data-copy-block="${texts.copyBlock}" data-found="${texts.found}" data-nothing-found="${texts.nothingFound}">
<h1>${escapeHtml(info.title)}</h1>
<div class="filter" role="search" hidden><label>${texts.filter}<input type="search" placeholder="${texts.filterHint}" autocomplete="off" spellcheck="false"></label><p role="status"></p></div>
<noscript><p class="notice">${texts.noScript}</p></noscript>
<div class="introduction">${markdown.renderBlock(info.description)}
${subject === 'reference' ? renderDownloads(texts) : ''}</div>
${chapters.map(renderChapter).join('\n')}
<section class="chapter">
<h2 id="errors">${texts.sharedErrors}</h2>
<p>${texts.sharedErrorsHint}</p>
${definitionList(reader.sharedFailures, markdown)}
</section>
<section class="chapter">
<h2 id="headers">${texts.answerHeaders}</h2>
${definitionList(reader.headers, markdown)}
</section>
</main>
<dialog aria-labelledby="sure"><h2 id="sure">${texts.confirmTitle}</h2><p><code></code></p><p>${texts.confirmText}</p><div><button type="button" autofocus value="">${texts.cancel}</button><button type="button" class="danger" value="yes">${texts.confirmSend}</button></div></dialog>
</div>`,
  });
}

function renderDownloads(texts: PageTexts): string {
  const files = [
    ['/api/v1/openapi.json', texts.openApiDocument],
    ['/llms.txt', texts.forModels],
  ];
  const links = files.map(([href, name]) => `<a href="${href}">${name}</a>`);
  return `<p class="downloads"><span>${texts.downloads}</span> ${links.join(' ')} <small>${texts.importHint}</small></p>`;
}

function renderContents(chapters: DocumentReader['chapters']): string {
  const items = chapters.map(({ id, title, operations, messages }) => {
    const links = operations.map(
      ({ operationId: operation, method, summary }) =>
        `<li data-operation="${operation}"><a href="#${operation}"><span class="method ${method.toLowerCase()}">${method}</span> <span>${escapeHtml(summary)}</span></a></li>`,
    );
    const received = messages.map(
      ({ operationId: message, type }) =>
        `<li data-operation="${message}"><a href="#${message}" class="message">${escapeHtml(type)}</a></li>`,
    );
    return `<li><a href="#tag/${id}">${escapeHtml(title)}</a><ul>${[...links, ...received].join('')}</ul></li>`;
  });
  return `<ul>${items.join('\n')}</ul>`;
}
