import sanitizeHtml from 'sanitize-html';

/**
 * Elements that announcements may contain. Text of other elements stays, except inside `discardedElements`.
 * `div` stays because editors write it for a line. Several pages show announcements, so relative links are removed.
 * Class, id, name and style could imitate or hide parts of the page, or shadow elements that scripts look up.
 * Images, media, frames and forms could contact third parties or ask for passwords.
 * SVG, MathML and raw text (noscript, template, comments) can change when a browser parses them again.
 */
const allowedElements = [
  ...['p', 'div', 'br', 'hr', 'h1', 'h2', 'h3', 'h4', 'blockquote', 'pre', 'code'],
  ...['strong', 'b', 'em', 'i', 'u', 's', 'del'],
  ...['ul', 'ol', 'li'],
  ...['table', 'caption', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'],
  'a',
];

const discardedElements = [
  ...['script', 'style', 'title', 'textarea', 'option', 'select', 'xmp', 'plaintext', 'template', 'noscript'],
  ...['noembed', 'noframes', 'iframe', 'object', 'svg', 'math'],
];

/** More than people nest by hand, and less than the depth at which browsers parse elements differently. */
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

/** Limits <, > and & separately. A page full of the smallest elements has fewer. */
const markupCharactersMax = 15_000;

/** Finds HTML that takes several times as long to sanitise as ordinary text of the same length. */
export function hasTooMuchMarkup(html: string): boolean {
  return ['<', '>', '&'].some((character) => html.split(character).length - 1 > markupCharactersMax);
}

/** Removing an element can join the parts around it into a new element, so passes repeat until nothing changes. */
const passesMax = 8;

/** Returns HTML that a second pass leaves unchanged, with every element closed. */
export function sanitiseHtml(html: string): string {
  let before = html;
  for (let pass = 1; pass <= passesMax; pass++) {
    const after = sanitizeOnce(before);
    if (after === before) return after;
    before = after;
  }
  // No known input still changes in the last pass. If one does, removing all elements leaves plain text, which is stable.
  return sanitizeHtml(before, { ...options, allowedTags: [], allowedAttributes: {} });
}

/** The library escapes < and > in text and attributes, so " />" can only be the end of an element. */
const sanitizeOnce = (html: string) => sanitizeHtml(html, options).replaceAll(' />', '>');

export function isBlankHtml(sanitised: string): boolean {
  const text = sanitised.replace(/<[^>]*>/g, '').replaceAll('&nbsp;', ' ');
  return !/[^\s\p{C}\p{Z}]/u.test(text);
}
