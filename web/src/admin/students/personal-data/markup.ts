/** HTML that is put together here; nothing else gets into a page unescaped. */
export class Markup {
  readonly #html: string;

  constructor(html: string) {
    this.#html = html;
  }

  toString(): string {
    return this.#html;
  }
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** As a text and as the value of an attribute in quotes. */
const escaped = (text: string) => text.replace(/[&<>"']/g, (letter) => entities[letter] ?? '');

type Value = string | Markup | readonly Markup[];

const shown = (value: Value): string => {
  if (typeof value === 'string') return escaped(value);
  return value instanceof Markup ? String(value) : value.join('');
};

/** HTML with texts and other HTML in it: texts are escaped. Attributes stand in double quotes. */
export function markup(parts: TemplateStringsArray, ...values: readonly Value[]): Markup {
  return new Markup(
    parts.map((part, i) => part + (i < values.length ? shown(values[i] ?? '') : '')).join(''),
  );
}

/** What is written in our own code and holds nothing from outside. */
markup.trusted = (html: string) => new Markup(html);
