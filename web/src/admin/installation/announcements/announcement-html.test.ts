import { describe, expect, it } from 'vitest';
import { sanitiseHtml } from '../../../../../server/src/features/announcements/sanitise-html.ts';
import { completeLink, isAllowedLink, isBlankHtml, isSupportedByEditor } from './announcement-html.ts';

describe('Link in an announcement', () => {
  it.each([
    'https://example.org/a?b=c#d',
    'http://example.org',
    'mailto:a@example.org',
    'tel:+86105550142',
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,x',
    '//example.org',
    '/docs',
    'https://exa mple.org',
  ])('is allowed exactly when the sanitiser keeps it: %s', (url) => {
    const left = sanitiseHtml(`<a href="${url}">x</a>`).startsWith('<a ');
    expect(isAllowedLink(url)).toBe(left);
  });

  it.each([
    ['example.org/page', 'https://example.org/page'],
    [' https://example.org ', 'https://example.org'],
    ['office@example.org', 'mailto:office@example.org'],
    ['javascript:alert(1)', 'javascript:alert(1)'],
    ['/docs', '/docs'],
    ['', ''],
  ])('gets the meant address: %s', (typed, meant) => {
    expect(completeLink(typed)).toBe(meant);
  });
});

describe('Text of an announcement', () => {
  it.each([
    ['<p>Hello</p>', true],
    ['<TABLE><tr><td>1</td></tr></TABLE>', false],
    ['<p>a table &lt;table&gt;</p>', true],
    ['<p>x</p><thead >', false],
  ])('fits the editor unless it has a table: %s', (html, fits) => {
    expect(isSupportedByEditor(html)).toBe(fits);
  });

  it.each([
    ['', true],
    ['<p></p>', true],
    ['<p>&nbsp;<br></p>', true],
    ['<script>alert(1)</script>', true],
    ['<p>学</p>', false],
    ['text', false],
  ])('is detected as blank or not: %s', (html, blank) => {
    expect(isBlankHtml(html)).toBe(blank);
  });
});
