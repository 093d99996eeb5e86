import { escapeHtml } from '../highlight.ts';
import { codeBlock, definitionList, type MarkdownRenderer } from '../markdown-renderer.ts';
import type { Parameter } from '../openapi-document.ts';
import type { Json } from '../openapi-schemas.ts';
import type { PageTexts } from '../page-texts.ts';
import {
  bodyExamplesOf,
  type DocumentedMessage,
  type DocumentedOperation,
  type DocumentReader,
  dataSchemaOf,
} from './document-reader.ts';
import { samplesOf } from './samples.ts';
import { renderTryForm } from './try-form.ts';

interface Schema extends Json {
  readonly properties?: Readonly<Record<string, Json>>;
  readonly required?: readonly string[];
  readonly items?: Json;
  readonly oneOf?: readonly Json[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly nullable?: boolean;
}

/** Renders operations in `details` elements. A link to an element inside opens them without a script. */
export class OperationRenderer {
  readonly #reader: DocumentReader;
  readonly #texts: PageTexts;
  readonly #markdown: MarkdownRenderer;

  constructor(reader: DocumentReader, texts: PageTexts, markdown: MarkdownRenderer) {
    this.#reader = reader;
    this.#texts = texts;
    this.#markdown = markdown;
  }

  renderOperation(operation: DocumentedOperation): string {
    const { operationId: id, method, path, summary, description } = operation;
    return `<details class="operation" data-operation="${id}">
<summary><span class="method ${method.toLowerCase()}">${method}</span> <h3>${escapeHtml(summary)}</h3> <code class="path">${escapeHtml(path)}</code></summary>
<div class="inside" id="${id}">
${this.#markdown.renderBlock(description)}${renderTryForm(operation, this.#reader, this.#texts)}
${this.#parameters(operation)}${this.#body(operation)}${this.#answer(operation)}${this.#failures(operation)}${this.#samples(operation)}
<p class="link"><a href="#${id}">${this.#texts.linkTo}</a> <code>${id}</code></p>
</div>
</details>`;
  }

  renderMessage(message: DocumentedMessage): string {
    const { operationId: id, type, summary, description, parameters, requestBody } = message;
    const texts = this.#texts;
    const items = parameters.map((header) => this.#renderParameter({ ...header, required: false }));
    const [example] = bodyExamplesOf(message);
    return `<details class="operation" data-operation="${id}">
<summary><span class="method">${texts.message}</span> <h3>${escapeHtml(summary)}</h3> <code class="path">${escapeHtml(type)}</code></summary>
<div class="inside" id="${id}">
${this.#markdown.renderBlock(description)}
<h4>${texts.requestHeaders}</h4><ul class="fields">${items.join('\n')}</ul>
<h4>${texts.body}</h4>${this.#renderFields(requestBody.content['application/json'].schema)}${codeBlock(texts.example, JSON.stringify(example?.value, null, 2), 'json')}
<p class="link"><a href="#${id}">${texts.linkTo}</a> <code>${id}</code></p>
</div>
</details>`;
  }

  #parameters({ parameters }: DocumentedOperation): string {
    if (parameters.length === 0) return '';
    const items = parameters.map((parameter) => this.#renderParameter(parameter));
    return `<h4>${this.#texts.parameters}</h4><ul class="fields">${items.join('\n')}</ul>\n`;
  }

  #renderParameter({ name, schema, description, required, in: location }: Parameter): string {
    const { inPath, inQuery, inHeader } = this.#texts;
    const where = { path: inPath, query: inQuery, header: inHeader }[location];
    return this.#renderField(name, { ...schema, description }, required, where);
  }

  #body(operation: DocumentedOperation): string {
    if (operation.requestBody === undefined) return '';
    const examples = bodyExamplesOf(operation).map(({ summary, value }) =>
      codeBlock(`${this.#texts.example}: ${summary}`, JSON.stringify(value, null, 2), 'json'),
    );
    const { schema } = operation.requestBody.content['application/json'];
    return `<h4>${this.#texts.body}</h4>${this.#renderFields(schema)}${examples.join('\n')}\n`;
  }

  #answer(operation: DocumentedOperation): string {
    const { example } = operation.responses[200]?.content['application/json'] ?? {};
    const whole = codeBlock(this.#texts.exampleOf, JSON.stringify(example, null, 2), 'json');
    return `<h4>${this.#texts.answer} <code>data</code></h4>${this.#renderFields(dataSchemaOf(operation))}${whole}\n`;
  }

  #failures({ responses }: DocumentedOperation): string {
    const { own = [], shared = [] } = Object.groupBy(
      Object.entries(responses).filter(([status]) => status !== '200'),
      ([, { $ref }]) => ($ref === undefined ? 'own' : 'shared'),
    );
    const failures = own.flatMap(([status, response]) => this.#reader.failuresOf(status, response));
    const links = shared.map(([status]) => status).join(', ');
    const besides = links && `<p>${this.#texts.seeShared} <a href="#errors">${links}</a></p>`;
    return `<h4>${this.#texts.errors}</h4>${definitionList(failures, this.#markdown)}${besides}\n`;
  }

  /** Shows samples only for operations that take a token, because other programs call those. */
  #samples(operation: DocumentedOperation): string {
    if (!operation.security.some((need) => 'bearer' in need)) return '';
    const blocks = samplesOf(operation, this.#reader.prefix).map(({ name, language, code }) =>
      codeBlock(name, code, language),
    );
    return `<h4>${this.#texts.samples}</h4>${blocks.join('\n')}\n`;
  }

  /** Renders fields as nested lists, because tables do not fit on a phone. */
  #renderField(name: string, schema: Json, required: boolean, where = ''): string {
    const texts = this.#texts;
    const need = required ? ` <span class="need">${texts.required}</span>` : '';
    const place = where && ` <span class="type">${where}</span>`;
    const fallback =
      schema.default === undefined
        ? ''
        : ` <span class="type">${texts.default} <code>${String(schema.default)}</code></span>`;
    const description = this.#descriptionOf(schema);
    return `<li><code class="name">${escapeHtml(name)}</code> <span class="type">${this.#typeOf(schema)}</span>${place}${need}${fallback}${
      description && `<p>${this.#markdown.renderInline(description)}</p>`
    }${this.#renderFields(schema)}</li>`;
  }

  #renderFields(schema: Json): string {
    const resolved = this.#withoutNull(schema);
    if (resolved.items !== undefined) return this.#renderFields(resolved.items);
    const options = this.#options(resolved);
    if (options.length > 1) return options.map((option) => this.#option(option)).join('\n');
    const { properties, required = [] } = resolved;
    if (properties === undefined) return '';
    const items = Object.entries(properties).map(([name, field]) =>
      this.#renderField(name, field, required.includes(name)),
    );
    return `${this.#oneOf(resolved)}<ul class="fields">${items.join('\n')}</ul>`;
  }

  #option(option: Json): string {
    const { title } = this.#reader.resolve(option) as { title?: string };
    return `<p class="form">${this.#texts.form} <code>${escapeHtml(title ?? '')}</code></p>${this.#renderFields(option)}`;
  }

  #oneOf({ allOf = [] }: Schema): string {
    const names = allOf.flatMap(({ anyOf = [] }) => anyOf).flatMap(({ required = [] }) => required);
    if (names.length === 0) return '';
    return `<p>${this.#texts.atLeastOne} ${names.map((name) => `<code>${escapeHtml(name)}</code>`).join(' ')}</p>`;
  }

  #options({ oneOf, anyOf = [] }: Schema): Json[] {
    return (oneOf ?? anyOf).filter((option) => {
      const { type, properties } = this.#reader.resolve(option);
      return type === 'object' && properties !== undefined;
    });
  }

  #descriptionOf(schema: Json): string {
    return String(schema.description ?? this.#reader.resolve(schema).description ?? '');
  }

  #withoutNull(schema: Json): Schema {
    const whole = this.#reader.resolve(schema) as Schema;
    const others = whole.anyOf?.filter(({ type }) => type !== 'null') ?? [];
    if (whole.anyOf?.length !== 2 || others.length !== 1) return whole;
    return { ...this.#reader.resolve(others[0] as Json), nullable: true };
  }

  #typeOf(schema: Json): string {
    const texts = this.#texts;
    const whole = this.#withoutNull(schema);
    const types = [whole.type ?? []].flat() as string[];
    const orNull = whole.nullable === true || types.includes('null') ? ` ${texts.orNull}` : '';
    if (whole.const !== undefined) return `<code>${escapeHtml(String(whole.const))}</code>`;
    if (whole.enum !== undefined) {
      const values = (whole.enum as unknown[]).filter((value) => value !== null);
      return `${texts.anyOf} ${values.map((value) => `<code>${escapeHtml(String(value))}</code>`).join(' ')}${orNull}`;
    }
    if (whole.items !== undefined) {
      const bounds = formatBounds(whole.minItems, whole.maxItems);
      return `${texts.listOf} ${this.#typeOf(whole.items)}${bounds && `${texts.comma}${bounds} ${texts.entries}`}${orNull}`;
    }
    const names = types.filter((type) => type !== 'null').map((type) => this.#plain(type, whole));
    return (names.join(' / ') || texts.object) + orNull;
  }

  #plain(type: string, { format, minLength, maxLength, minimum, maximum }: Json): string {
    const texts = this.#texts;
    if (type === 'string') {
      if (format === 'date-time') return texts.dateTime;
      const bounds = formatBounds(minLength, maxLength);
      return bounds ? `${texts.text}${texts.comma}${bounds} ${texts.characters}` : texts.text;
    }
    if (type === 'integer' || type === 'number') {
      const bounds = formatBounds(minimum, maximum);
      return bounds ? `${texts[type]}${texts.comma}${bounds}` : texts[type];
    }
    return type === 'boolean' ? texts.boolean : texts.object;
  }
}

/** Omits the upper bound of safe integers, which all numbers have. */
function formatBounds(least: unknown, most: unknown): string {
  const top = most === Number.MAX_SAFE_INTEGER ? undefined : most;
  if (least !== undefined && top !== undefined) return `${least} … ${top}`;
  if (least !== undefined) return `≥ ${least}`;
  return top === undefined ? '' : `≤ ${top}`;
}
