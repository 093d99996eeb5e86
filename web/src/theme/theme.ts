import {
  type CSSVariablesResolver,
  colorsTuple,
  createTheme,
  localStorageColorSchemeManager,
  type MantineTheme,
} from '@mantine/core';
import { commonTexts } from '../i18n/common-texts.ts';
import { translateNow } from '../i18n/texts.ts';

/** Deep teal, the product's colour. Shade 7 on white and shade 4 on the dark surface have AA contrast. */
const teal = colorsTuple(
  '#effaf7 #d8f0ea #b0e0d6 #82cdbf #58b7a7 #359e8e #1f8478 #14675f #10534d #0b3f3b'.split(' '),
);

const plus = colorsTuple(
  '#edf9ee #d9f0dc #b2e0b9 #87ce93 #62bd72 #41a556 #2c8a43 #1d7334 #145c28 #0b461c'.split(' '),
);

/** For negative points: more orange than red, so that most colour-blind people can tell it from green. */
const minus = colorsTuple(
  '#fff2ec #ffe0d2 #fdc0a6 #f99d77 #f38052 #e46633 #c94f1d #b04113 #8d330e #6b2609'.split(' '),
);

/** For danger. Darker than Mantine's: white on shade 6, and shade 7 on white, have AA contrast. */
const red = colorsTuple(
  '#fff1f0 #ffe0dd #ffc2bd #ff9f98 #fb7f77 #ea5a52 #cf3630 #b92a25 #9a211d #781815'.split(' '),
);

/** Surfaces of the dark scheme: neutral with a little teal. */
const dark = colorsTuple(
  '#d5dcdc #b3bdbd #94a1a2 #66757a #3c494d #2b3639 #222c2f #1a2224 #141a1c #0e1315'.split(' '),
);

const gray = colorsTuple(
  '#f7f8f8 #f0f2f2 #e4e8e8 #d5dbdb #bcc5c5 #98a4a4 #5f6d6e #465354 #2f3a3b #1a2324'.split(' '),
);

const font =
  'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "PingFang SC", "Hiragino Sans GB", "Noto Sans CJK SC", "Noto Sans SC", "Microsoft YaHei", sans-serif';

/** Names the close button for screen readers, because it shows only a cross. */
const closeButton = () => ({ closeButtonProps: { 'aria-label': translateNow(commonTexts, 'close') } });

/** Ignores presses on a dialog that fades out, so that a second tap on "Add" does not add twice. */
const untouchedWhenClosing = (_: MantineTheme, { opened }: { readonly opened?: boolean }) => ({
  content: opened ? {} : ({ pointerEvents: 'none' } as const),
});

/** `teal` is the product's colour, `plus` and `minus` are points, `red` is danger. */
export const theme = createTheme({
  colors: { teal, plus, minus, red, dark, gray },
  primaryColor: 'teal',
  primaryShade: { light: 7, dark: 6 },
  black: '#1a2324',
  autoContrast: true,
  fontFamily: font,
  fontFamilyMonospace:
    'ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", "Noto Sans Mono CJK SC", monospace',
  headings: {
    fontWeight: '650',
    sizes: {
      h1: { fontSize: '1.625rem', lineHeight: '1.25' },
      h2: { fontSize: '1.25rem', lineHeight: '1.3' },
      h3: { fontSize: '1.0625rem', lineHeight: '1.4' },
    },
  },
  defaultRadius: 'md',
  radius: { xs: '4px', sm: '6px', md: '10px', lg: '14px', xl: '22px' },
  shadows: {
    xs: '0 1px 2px rgb(16 40 40 / 6%)',
    sm: '0 1px 3px rgb(16 40 40 / 8%), 0 4px 12px rgb(16 40 40 / 4%)',
    md: '0 2px 6px rgb(16 40 40 / 8%), 0 12px 28px rgb(16 40 40 / 8%)',
  },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // Closed options would be laid out while the page loads.
    Combobox: { defaultProps: { keepMounted: false } },
    Modal: {
      // A function, because the language may change while the page is open.
      defaultProps: () => ({
        centered: true,
        radius: 'lg',
        // Leaves out the blur, which makes dialogs jerk on old classroom computers.
        overlayProps: { backgroundOpacity: 0.5 },
        ...closeButton(),
      }),
      styles: (...shown: Parameters<typeof untouchedWhenClosing>) => ({
        title: { fontWeight: 650, lineHeight: 1.4 },
        ...untouchedWhenClosing(...shown),
      }),
    },
    Drawer: { defaultProps: closeButton, styles: untouchedWhenClosing },
    // Mantine uses a <header>, which would be a second banner landmark beside the page's.
    ModalHeader: { defaultProps: { role: 'presentation' } },
    DrawerHeader: { defaultProps: { role: 'presentation' } },
    Notification: { defaultProps: closeButton },
    PasswordInput: {
      defaultProps: () => ({
        visibilityToggleButtonProps: { 'aria-label': translateNow(commonTexts, 'showPassword') },
      }),
    },
    // Leaves out the focus placeholder, which a menu must not contain. 450 is above notifications, which have 400.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false, zIndex: 450 } },
    // Without "fixed", a menu could widen a phone's page before it is placed, which would move its button.
    Popover: { defaultProps: { floatingStrategy: 'fixed' } },
    // The list scrolls without Mantine's scroll area, which the keyboard cannot reach.
    Select: { defaultProps: { withScrollArea: false } },
    Paper: { defaultProps: { radius: 'lg' } },
    Tooltip: { defaultProps: { openDelay: 300, withArrow: true } },
    SegmentedControl: { defaultProps: { withItemsBorders: false } },
    Loader: { defaultProps: { type: 'dots' } },
  },
});

/** Mixes light variants with the surface in the dark scheme, where Mantine's values would be nearly black. */
export const darkTints: CSSVariablesResolver = ({ colors }) => ({
  variables: {},
  light: {},
  dark: Object.fromEntries(
    Object.keys(colors).flatMap((color) => {
      const tint = (percent: number) =>
        `color-mix(in srgb, var(--mantine-color-${color}-4) ${percent}%, var(--app-surface))`;
      return [
        [`--mantine-color-${color}-light`, tint(16)],
        [`--mantine-color-${color}-light-hover`, tint(22)],
        [`--mantine-color-${color}-light-color`, `var(--mantine-color-${color}-2)`],
      ];
    }),
  ),
});

/** public/first-paint.js reads the same key to set the scheme before the first paint. */
export const colorSchemeManager = localStorageColorSchemeManager({ key: 'classledger.color-scheme' });

/** Switches to the light scheme for printing: browsers leave out the dark background, so text would be too pale. */
export function printLight(): void {
  const root = document.documentElement;
  const name = 'data-mantine-color-scheme';
  let shown: string | null = null;
  window.addEventListener('beforeprint', () => {
    shown = root.getAttribute(name);
    root.setAttribute(name, 'light');
  });
  window.addEventListener('afterprint', () => {
    if (shown !== null) root.setAttribute(name, shown);
    shown = null;
  });
}
