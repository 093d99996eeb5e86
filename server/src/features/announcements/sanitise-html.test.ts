import fc from 'fast-check';
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';
import { expect, it } from 'vitest';
import { hostileHtml } from '../../../test/hostile-html.ts';
import { isBlankHtml, sanitiseHtml } from './sanitise-html.ts';

type Node = DefaultTreeAdapterTypes.ChildNode;

/** Repeats the list on purpose: the tags and attributes that a browser may find in an announcement. */
const allowedElements = new Set(
  (
    'p div br hr h1 h2 h3 h4 blockquote pre code strong b em i u s del ul ol li a ' +
    'table caption thead tbody tfoot tr th td'
  ).split(' '),
);
const linkAttributes: Readonly<Record<string, RegExp>> = {
  href: /^(?:https?:\/\/|mailto:|tel:)/i,
  rel: /^noopener noreferrer$/,
  target: /^_blank$/,
};
const cellAttributes: Readonly<Record<string, RegExp>> = { colspan: /^[0-9]{1,2}$/, rowspan: /^[0-9]{1,2}$/ };
const allowedAttributes: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  a: linkAttributes,
  td: cellAttributes,
  th: cellAttributes,
};

function harmIn(html: string): string[] {
  const harm: string[] = [];
  const visit = (node: Node): void => {
    if (node.nodeName === '#text') return;
    if (!('tagName' in node)) {
      harm.push(`a ${node.nodeName}`);
      return;
    }
    const { tagName, namespaceURI, attrs, childNodes } = node;
    if (!allowedElements.has(tagName) || namespaceURI !== 'http://www.w3.org/1999/xhtml') harm.push(tagName);
    for (const { name, value } of attrs) {
      if (!allowedAttributes[tagName]?.[name]?.test(value)) harm.push(`${tagName} ${name}=${value}`);
      if (
        name === 'href' &&
        !/^(?:https?|mailto|tel):$/.test(URL.parse(value, 'https://page.example')?.protocol ?? '')
      ) {
        harm.push(`leads to ${value}`);
      }
    }
    if (tagName === 'a' && attrs.length > 0) {
      const names = attrs.map((attribute) => attribute.name).sort();
      if (names.join() !== 'href,rel,target') harm.push(`a link with ${names.join()}`);
    }
    for (const child of childNodes) visit(child);
  };
  for (const node of parseFragment(html).childNodes) visit(node);
  return harm;
}

function expectHarmless(html: string): void {
  const once = sanitiseHtml(html);
  expect(harmIn(once), `${html} became ${once}`).toEqual([]);
  expect(harmIn(`<div><p>before</p>${once}<p>after</p></div>`), `${html} inside a page`).toEqual([]);
  expect(sanitiseHtml(once)).toBe(once);
}

const payloads = Object.values(hostileHtml).flat();

it('the check of these tests recognises hostile HTML that was not sanitised', () => {
  expect(payloads.filter((html) => harmIn(html).length > 0).length).toBeGreaterThan(120);
  expect(harmIn('<p onclick="x()">x</p>')).toEqual(['p onclick=x()']);
  expect(harmIn('<a href="java\nscript:x()" rel="noopener noreferrer" target="_blank">x</a>')).toEqual([
    'a href=java\nscript:x()',
    'leads to java\nscript:x()',
  ]);
  expect(harmIn('<svg><p>x</p></svg>')).toContain('svg');
});

it.each(payloads)(
  'sanitised hostile HTML is harmless, alone and inside any surrounding HTML: %s',
  (payload) => {
    expectHarmless(payload);
    expectHarmless(`<p>Hello <b>${payload}</b></p>`);
    expectHarmless(`<table><tr><td>${payload}</td></tr></table>`);
    expectHarmless(`<svg>${payload}`);
    expectHarmless(`<math><mtext>${payload}`);
    expectHarmless(`<a href="https://x.example/">${payload}</a>`);
  },
);

const words = (text: string) => text.trim().split(/\s+/);
const name = fc.constantFrom(
  ...allowedElements,
  ...words(`
      svg math mtext mglyph foreignObject desc style script noscript template xmp title textarea iframe noembed
      noframes plaintext listing form button select option img span dd dt body html annotation-xml malignmark
      animate object embed base meta link frameset caption col colgroup`),
);
const attribute = fc.oneof(
  fc.constantFrom(
    'onclick=x()',
    'onerror="x()"',
    'href="javascript:x()"',
    "href='https://x.example/'",
    'href=https://x.example/?a=1&b=2',
    'colspan=2',
    'colspan="2&quot;x"',
    'style="color:red"',
    'id=root',
    'encoding="text/html"',
  ),
  fc.string({ maxLength: 6 }),
);
const soup = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: name.map((tag) => `<${tag}>`) },
    { weight: 3, arbitrary: name.map((tag) => `</${tag}>`) },
    { weight: 2, arbitrary: fc.tuple(name, attribute).map(([tag, text]) => `<${tag} ${text}>`) },
    {
      weight: 2,
      arbitrary: fc.constantFrom(...words('<!-- --> --!> <![CDATA[ ]]> < > " \' /> & &lt;')),
    },
    {
      weight: 2,
      arbitrary: fc.constantFrom('text', ' ', '\n', '&amp;', '&#106;', '<?x', '<!x', '</', '\u00a0'),
    },
    { weight: 1, arbitrary: fc.string({ maxLength: 5 }) },
  ),
  { maxLength: 25, size: 'max' },
);
it('sanitised hostile HTML is harmless for any sequence of parts, and stays the same when sanitised again', () => {
  fc.assert(
    fc.property(soup, (parts) => expectHarmless(parts.join(''))),
    { numRuns: 1_000 },
  );
});

const link = (href: string, text: string) =>
  `<a href="${href}" rel="noopener noreferrer" target="_blank">${text}</a>`;
it.each([
  ['paragraphs', '<p>Points start again on Monday.</p><p>One line<br>and another</p>'],
  ['plain text', 'Points start again on Monday: 3 &gt; 2 is "written" &amp; \'kept\''],
  ['headings and rules', '<h1>One</h1><h2>Two</h2><h3>Three</h3><h4>Four</h4><hr><p>x</p>'],
  ['emphasis', '<p><strong>a</strong><b>b</b><em>c</em><i>d</i><u>e</u><s>f</s><del>g</del></p>'],
  ['lists', '<ul><li>one</li><li>two<ol><li>two a</li></ol></li></ul>'],
  ['quotations and code', '<blockquote><p>x</p></blockquote><pre><code>a  b\n  c</code></pre>'],
  [
    'tables',
    '<table><caption>Points</caption><thead><tr><th colspan="2">Class</th></tr></thead>' +
      '<tbody><tr><td rowspan="2">1</td><td>2</td></tr></tbody><tfoot><tr><td>3</td></tr></tfoot></table>',
  ],
  ['a web link', `<p>See ${link('https://x.example/a?b=1&amp;c=2#d', 'here')}.</p>`],
  ['a link to a page in another script', `<p>${link('https://x.example/学校', '学校')}</p>`],
  ['a mail link', `<p>${link('mailto:office@x.example', 'office')}</p>`],
  ['a telephone link', `<p>${link('tel:+861055500142', 'call')}</p>`],
  ['lines as editors write them', '<div>one</div><div>two</div>'],
  ['other scripts and pictographs', '<p>新学期 🎉 Ελληνικά العربية</p>'],
  ['written markup', '<p>&lt;b&gt; makes it bold</p>'],
])('sanitised ordinary HTML keeps %s unchanged', (_what, html) => {
  expect(sanitiseHtml(html)).toBe(html);
  expect(harmIn(html)).toEqual([]);
});

it('sanitised ordinary HTML opens links in a separate tab without opener or referrer', () => {
  expect(sanitiseHtml('<a href=" HTTPS://x.example " target="_top" rel="opener" title="x">x</a>')).toBe(
    link('HTTPS://x.example', 'x'),
  );
});

it('sanitised ordinary HTML keeps the text of removed tags, except code and styles', () => {
  expect(sanitiseHtml('<p>a <span style="color:red">b</span> <font>c</font></p>')).toBe('<p>a b c</p>');
  expect(sanitiseHtml('<a href="/docs">guide</a> <a name="x">y</a>')).toBe('guide y');
  expect(sanitiseHtml('<p>a</p><style>p { color: red }</style><script>b()</script>')).toBe('<p>a</p>');
});

it.each([
  ['elements in elements', '<div>'.repeat(10_000)],
  ['paragraphs in elements that go', '<span><p>'.repeat(5_500)],
  ['elements that never end', '<b '.repeat(16_000)],
  ['ampersands', '&'.repeat(50_000)],
  ['comments', '<!--'.repeat(12_500)],
  ['frames in frames', '<iframe>'.repeat(6_250)],
  ['attributes', `<a ${'href=https://x.example '.repeat(2_100)}>x</a>`],
  ['quotes', `<a href='${'"'.repeat(49_000)}'>x</a>`],
])(
  'sanitiseHtml and isBlankHtml take at most two seconds of CPU time for 50,000 characters of %s',
  (_what, html) => {
    // Counts CPU time, which excludes waiting for other processes.
    const before = process.threadCpuUsage();
    const sanitised = sanitiseHtml(html);
    const { user, system } = process.threadCpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(2_000);
    expect(harmIn(sanitised)).toEqual([]);
  },
);

it('isBlankHtml distinguishes text from blank HTML', () => {
  const isBlank = (html: string) => isBlankHtml(sanitiseHtml(html));
  const spaces = '<p>&nbsp;\u00a0<br></p>';
  const blank = ['', ' \n', '<p></p>', spaces, '<hr>', '<ul><li>\u200b</li></ul>'];
  expect(blank.filter((html) => !isBlank(html))).toEqual([]);
  expect(['x', '<p>0</p>', '&lt;p&gt;', '学'].filter(isBlank)).toEqual([]);
});
