import sanitizeHtml from 'sanitize-html';

/**
 * Elements that an announcement may contain. Other elements are removed. Their text stays, unless a browser treats it
 * as code or raw text (`textless`).
 *
 * - Text: paragraphs, line breaks, headings to the fourth level, rules, quotations, code, preformatted text. `div`
 *   because editors use it for a line; without it two lines would run together.
 * - Emphasis: bold, italic, underlined, struck out, each with both of its elements.
 * - Lists and tables. Cells keep only the attributes for spans.
 * - Links to http, https, mailto and tel addresses. They open a new tab without referrer and opener. Relative links are
 *   removed, because an announcement is shown in several places.
 *
 * Class, id, name and style are removed: a text could imitate or hide parts of the page, or shadow names in scripts.
 * Images, media, frames and forms are removed: they would contact third parties or ask for passwords. SVG, MathML,
 * noscript, template and comments are removed: such content may change its meaning when it is parsed again.
 */
const elements = [
  ...['p', 'div', 'br', 'hr', 'h1', 'h2', 'h3', 'h4', 'blockquote', 'pre', 'code'],
  ...['strong', 'b', 'em', 'i', 'u', 's', 'del'],
  ...['ul', 'ol', 'li'],
  ...['table', 'caption', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'],
  'a',
];

/** Elements that go with all that is in them. */
const textless = [
  ...['script', 'style', 'title', 'textarea', 'option', 'select', 'xmp', 'plaintext', 'template', 'noscript'],
  ...['noembed', 'noframes', 'iframe', 'object', 'svg', 'math'],
];

/** No one nests so deep by hand; browsers stop at some depth too, and parse what follows differently. */
const depthMax = 40;

/** Letters of a URL: no white space, control characters or quotes that browsers would drop or read otherwise. */
const linkForm = /^(?:https?:\/\/[^\s\p{C}"'<>`\\]+|(?:mailto|tel):[^\s\p{C}"'<>`\\]+)$/iu;
const spanForm = /^[1-9][0-9]?$/;

const options: sanitizeHtml.IOptions = {
  allowedTags: elements,
  allowedAttributes: { a: ['href', 'rel', 'target'], th: ['colspan', 'rowspan'], td: ['colspan', 'rowspan'] },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowProtocolRelative: false,
  nonTextTags: textless,
  nestingLimit: depthMax,
  parseStyleAttributes: false,
  transformTags: {
    a: (tagName, { href = '' }) => ({ tagName, attribs: linkAttributes(href.trim()) }),
    th: (tagName, attribs) => ({ tagName, attribs: spanAttributes(attribs) }),
    td: (tagName, attribs) => ({ tagName, attribs: spanAttributes(attribs) }),
  },
  // A link to nowhere is text.
  exclusiveFilter: ({ tag, attribs }) => (tag === 'a' && attribs.href === undefined ? 'excludeTag' : false),
};

function linkAttributes(href: string): sanitizeHtml.Attributes {
  return linkForm.test(href) ? { href, rel: 'noopener noreferrer', target: '_blank' } : {};
}

function spanAttributes(attribs: sanitizeHtml.Attributes): sanitizeHtml.Attributes {
  const spans = Object.entries(attribs).filter(
    ([name, value]) => (name === 'colspan' || name === 'rowspan') && spanForm.test(value),
  );
  return Object.fromEntries(spans);
}

/** More than a page full of the smallest elements or of entities holds, each. */
const marksMax = 15_000;

/**
 * Whether a text is made of marks more than of anything to read. Sanitising one costs several times what an ordinary
 * text of the same length does, because every mark is a piece of its own.
 */
export function isMostlyMarks(html: string): boolean {
  const counts: Record<string, number> = { '<': 0, '>': 0, '&': 0 };
  for (const character of html) {
    const count = counts[character];
    if (count !== undefined) counts[character] = count + 1;
  }
  return Object.values(counts).some((count) => count > marksMax);
}

/** Without an element between them, two may close each other: sanitised text is sanitised until it stays. */
const passesMax = 8;

/**
 * The harmless part of an HTML text: the elements and attributes above and nothing else, every element closed.
 * Sanitising the result again changes nothing.
 */
export function sanitiseHtml(html: string): string {
  let before = html;
  for (let pass = 1; pass <= passesMax; pass++) {
    const after = sanitizeOnce(before);
    if (after === before) return after;
    before = after;
  }
  // Nothing is known that comes here. Text alone stays as it is at once.
  return sanitizeHtml(before, { ...options, allowedTags: [], allowedAttributes: {} });
}

/** Text and attribute values leave with < and > escaped, so that only the end of an element reads " />". */
const sanitizeOnce = (html: string) => sanitizeHtml(html, options).replaceAll(' />', '>');

/** Whether sanitised HTML shows nothing to read. */
export function isBlankHtml(sanitised: string): boolean {
  const text = sanitised.replace(/<[^>]*>/g, '').replaceAll('&nbsp;', ' ');
  return !/[^\s\p{C}\p{Z}]/u.test(text);
}
