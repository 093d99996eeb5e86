import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { QrCode } from './QrCode.tsx';

it('QrCode draws dark on light with a quiet zone', () => {
  const svg = renderToStaticMarkup(
    createElement(QrCode, { text: 'https://school.example/#x', label: 'A code', size: 200 }),
  );
  expect(svg).toContain('aria-label="A code"');
  expect(svg).toContain('<rect width="33" height="33" fill="#fff"></rect>');
  const dark = [...svg.matchAll(/M(\d+) (\d+)h1v1h-1z/g)].map(([, x, y]) => [Number(x), Number(y)]);
  expect(Math.min(...dark.flat())).toBe(4);
  expect(Math.max(...dark.flat())).toBe(28);
  // The finder pattern of the upper left corner.
  const corner = dark.filter(([x = 0, y = 0]) => x < 11 && y < 11);
  expect(corner).toHaveLength(33);
});
