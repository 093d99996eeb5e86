import { escapeHtml } from '../highlight.ts';
import { codeBlock, definitionList, type MarkdownRenderer } from '../markdown-renderer.ts';
import type { PageTexts } from '../page-texts.ts';
import type { DocumentedMessage, DocumentedOperation, DocumentReader, Parameter } from './document-reader.ts';
import type { FieldRenderer } from './field-renderer.ts';
import { samplesOf } from './samples.ts';
import { renderTryForm } from './try-form.ts';

/** Renders operations in `details` elements. A link to an element inside opens them without a script. */
export class OperationRenderer {
  readonly #reader: DocumentReader;
  readonly #fields: FieldRenderer;
  readonly #texts: PageTexts;
  readonly #markdown: MarkdownRenderer;

  constructor(reader: DocumentReader, fields: FieldRenderer, texts: PageTexts, markdown: MarkdownRenderer) {
    this.#reader = reader;
    this.#fields = fields;
    this.#texts = texts;
    this.#markdown = markdown;
  }

  renderOperation(operation: DocumentedOperation): string {
    const { id, method, path, title, description } = operation;
    return `<details class="operation" data-operation="${id}">
<summary><span class="method ${method.toLowerCase()}">${method}</span> <h3>${escapeHtml(title)}</h3> <code class="path">${escapeHtml(path)}</code></summary>
<div class="inside" id="${id}">
${this.#markdown.renderBlock(description)}${renderTryForm(operation, this.#reader, this.#texts)}
${this.#parameters(operation)}${this.#body(operation)}${this.#answer(operation)}${this.#failures(operation)}${this.#samples(operation)}
<p class="link"><a href="#${id}">${this.#texts.linkTo}</a> <code>${id}</code></p>
</div>
</details>`;
  }

  renderMessage({ id, type, title, description, headers, schema, example }: DocumentedMessage): string {
    const texts = this.#texts;
    const items = headers.map((header) =>
      this.#fields.renderField(
        header.name,
        { ...header.schema, description: header.description },
        false,
        texts.inHeader,
      ),
    );
    return `<details class="operation" data-operation="${id}">
<summary><span class="method">${texts.message}</span> <h3>${escapeHtml(title)}</h3> <code class="path">${escapeHtml(type)}</code></summary>
<div class="inside" id="${id}">
${this.#markdown.renderBlock(description)}
<h4>${texts.requestHeaders}</h4><ul class="fields">${items.join('\n')}</ul>
<h4>${texts.body}</h4>${this.#fields.renderFields(schema)}${codeBlock(texts.example, JSON.stringify(example, null, 2), 'json')}
<p class="link"><a href="#${id}">${texts.linkTo}</a> <code>${id}</code></p>
</div>
</details>`;
  }

  #parameters({ parameters }: DocumentedOperation): string {
    if (parameters.length === 0) return '';
    const locations: Readonly<Record<Parameter['in'], string>> = {
      path: this.#texts.inPath,
      query: this.#texts.inQuery,
      header: this.#texts.inHeader,
    };
    const items = parameters.map(({ name, schema, description, required, in: location }) =>
      this.#fields.renderField(name, { ...schema, description }, required, locations[location]),
    );
    return `<h4>${this.#texts.parameters}</h4><ul class="fields">${items.join('\n')}</ul>\n`;
  }

  #body({ body }: DocumentedOperation): string {
    if (body === null) return '';
    const examples = body.examples.map(({ title, value }) =>
      codeBlock(`${this.#texts.example}: ${title}`, JSON.stringify(value, null, 2), 'json'),
    );
    return `<h4>${this.#texts.body}</h4>${this.#fields.renderFields(body.schema)}${examples.join('\n')}\n`;
  }

  #answer({ data, example }: DocumentedOperation): string {
    const whole = codeBlock(this.#texts.exampleOf, JSON.stringify(example, null, 2), 'json');
    return `<h4>${this.#texts.answer} <code>data</code></h4>${this.#fields.renderFields(data)}${whole}\n`;
  }

  #failures({ failures, sharedFailures }: DocumentedOperation): string {
    const shared =
      sharedFailures.length === 0
        ? ''
        : `<p>${this.#texts.seeShared} <a href="#errors">${sharedFailures.join(', ')}</a></p>`;
    return `<h4>${this.#texts.errors}</h4>${definitionList(failures, this.#markdown)}${shared}\n`;
  }

  /** Shows samples only for operations that take a token, because other programs call those. */
  #samples(operation: DocumentedOperation): string {
    if (!operation.security.some(([scheme]) => scheme === 'bearer')) return '';
    const blocks = samplesOf(operation, this.#reader.prefix).map(({ name, language, code }) =>
      codeBlock(name, code, language),
    );
    return `<h4>${this.#texts.samples}</h4>${blocks.join('\n')}\n`;
  }
}
