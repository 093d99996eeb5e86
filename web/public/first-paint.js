// Runs before anything is painted, so that neither the colour scheme nor the language flickers.
// The same keys and rules stand in src/theme/color-scheme.ts and src/i18n/language.ts.
(() => {
  const root = document.documentElement;
  let scheme = null;
  let language = null;
  try {
    scheme = localStorage.getItem('classledger.color-scheme');
    language = localStorage.getItem('classledger.language');
  } catch {
    // Storage may be forbidden; the defaults do.
  }
  const dark =
    scheme === 'dark' || (scheme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  root.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
  const wanted = [language, ...navigator.languages].find((tag) => /^(zh|en)/i.test(tag ?? ''));
  root.lang = /^zh/i.test(wanted ?? '') ? 'zh-CN' : 'en';
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', dark ? '#141a1c' : '#f7f8f8');
})();
