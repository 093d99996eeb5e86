/** HTML that is already safe; `markup` escapes plain strings. */
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

const escaped = (text: string) => text.replace(/[&<>"']/g, (letter) => entities[letter] ?? '');

type Value = string | Markup | readonly Markup[];

const shown = (value: Value): string => {
  if (typeof value === 'string') return escaped(value);
  return value instanceof Markup ? String(value) : value.join('');
};

/** Builds HTML from a template. Escapes strings, and inserts `Markup` as it is. Attributes must be in double quotes. */
export function markup(parts: TemplateStringsArray, ...values: readonly Value[]): Markup {
  return new Markup(
    parts.map((part, i) => part + (i < values.length ? shown(values[i] ?? '') : '')).join(''),
  );
}

/** Wraps constant HTML of our own code. */
markup.trusted = (html: string) => new Markup(html);
