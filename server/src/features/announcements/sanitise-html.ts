import sanitizeHtml from 'sanitize-html';

/**
 * The elements that announcements may contain. All others are removed, but their text stays, except inside
 * `discardedElements`.
 *
 * - Text: paragraphs, line breaks, headings to the fourth level, rules, quotations, code, preformatted text, and
 *   `div`, because editors write it for a line: without it two lines would run together.
 * - Emphasis: bold, italic, underlined and struck out, under all their element names.
 * - Lists and tables: their elements, with no attributes except the spans of a cell.
 * - Links to http, https, mailto and tel addresses. They open in a new tab, without a referrer or an opener.
 *   Relative links are removed, because several pages show announcements.
 *
 * No class, id, name or style: with them a text could imitate or hide parts of the page, or shadow elements that
 * scripts look up. No images, media, frames or forms, so that no page contacts third parties or asks for passwords.
 * No SVG, MathML or raw text (noscript, template, comments): such content can change when a browser parses it
 * again.
 */
const allowedElements = [
  ...['p', 'div', 'br', 'hr', 'h1', 'h2', 'h3', 'h4', 'blockquote', 'pre', 'code'],
  ...['strong', 'b', 'em', 'i', 'u', 's', 'del'],
  ...['ul', 'ol', 'li'],
  ...['table', 'caption', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'],
  'a',
];

/** Elements that are removed with their content. */
const discardedElements = [
  ...['script', 'style', 'title', 'textarea', 'option', 'select', 'xmp', 'plaintext', 'template', 'noscript'],
  ...['noembed', 'noframes', 'iframe', 'object', 'svg', 'math'],
];

/** Deeper than anyone nests by hand. Browsers have a limit too, and parse deeper elements differently. */
const depthMax = 40;

/** Excludes white space, control characters and quotes, which browsers would drop or misread. */
const linkPattern = /^(?:https?:\/\/[^\s\p{C}"'<>`\\]+|(?:mailto|tel):[^\s\p{C}"'<>`\\]+)$/iu;
const spanPattern = /^[1-9][0-9]?$/;

const options: sanitizeHtml.IOptions = {
  allowedTags: allowedElements,
  allowedAttributes: { a: ['href', 'rel', 'target'], th: ['colspan', 'rowspan'], td: ['colspan', 'rowspan'] },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowProtocolRelative: false,
  nonTextTags: discardedElements,
  nestingLimit: depthMax,
  parseStyleAttributes: false,
  transformTags: {
    a: (tagName, { href = '' }) => ({ tagName, attribs: linkAttributes(href.trim()) }),
    th: (tagName, attribs) => ({ tagName, attribs: spanAttributes(attribs) }),
    td: (tagName, attribs) => ({ tagName, attribs: spanAttributes(attribs) }),
  },
  // Removes a link without an address, but keeps its text.
  exclusiveFilter: ({ tag, attribs }) => (tag === 'a' && attribs.href === undefined ? 'excludeTag' : false),
};

function linkAttributes(href: string): sanitizeHtml.Attributes {
  return linkPattern.test(href) ? { href, rel: 'noopener noreferrer', target: '_blank' } : {};
}

function spanAttributes(attribs: sanitizeHtml.Attributes): sanitizeHtml.Attributes {
  const spans = Object.entries(attribs).filter(
    ([name, value]) => (name === 'colspan' || name === 'rowspan') && spanPattern.test(value),
  );
  return Object.fromEntries(spans);
}

/** Counted for each character; more than a page full of the smallest elements or entities has. */
const markupCharactersMax = 15_000;

/**
 * Returns whether a text has too much markup. Sanitising it would take several times as long as ordinary text of the
 * same length.
 */
export function hasTooMuchMarkup(html: string): boolean {
  const counts: Record<string, number> = { '<': 0, '>': 0, '&': 0 };
  for (const character of html) {
    const count = counts[character];
    if (count !== undefined) counts[character] = count + 1;
  }
  return Object.values(counts).some((count) => count > markupCharactersMax);
}

/** Removing an element can join the parts around it into a new one, so passes repeat until nothing changes. */
const passesMax = 8;

/**
 * Returns the HTML with only the allowed elements and attributes, every element closed. Sanitising the result again
 * changes nothing.
 */
export function sanitiseHtml(html: string): string {
  let before = html;
  for (let pass = 1; pass <= passesMax; pass++) {
    const after = sanitizeOnce(before);
    if (after === before) return after;
    before = after;
  }
  // No known input gets here. Plain text is stable after one pass.
  return sanitizeHtml(before, { ...options, allowedTags: [], allowedAttributes: {} });
}

/** The library escapes < and > in text and attributes, so " />" can only be the end of an element. */
const sanitizeOnce = (html: string) => sanitizeHtml(html, options).replaceAll(' />', '>');

/** Returns whether sanitised HTML has no visible text. */
export function isBlankHtml(sanitised: string): boolean {
  const text = sanitised.replace(/<[^>]*>/g, '').replaceAll('&nbsp;', ' ');
  return !/[^\s\p{C}\p{Z}]/u.test(text);
}
