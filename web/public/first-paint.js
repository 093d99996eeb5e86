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
  const description = document.querySelector('meta[name="description"]');
  if (root.lang === 'zh-CN') description?.setAttribute('content', description.dataset.zh);
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', dark ? '#141a1c' : '#f7f8f8');
})();

// What the page of somebody signed in needs in any case is asked for now, beside its scripts: their answers would be a
// second and a third journey. src/api/early-requests.ts takes them; the keys stand in src/session/ and src/api/session-state.ts.
(() => {
  /** What stands behind the sign-in of administrators; vite/first-paint.ts writes it here. */
  const inside = [];
  /** What their pages load besides, by address; from there, too. */
  const parts = {};
  const ahead = {};
  const root = document.documentElement;
  const ask = (address, token) => {
    const headers = { accept: 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
    // The page asks again, and says what is wrong.
    ahead[address] = { token, answer: fetch(address, { headers }).catch(() => null) };
  };
  const load = (file) => {
    const link = document.createElement('link');
    const style = file.endsWith('.css');
    link.rel = style ? 'preload' : 'modulepreload';
    if (style) link.as = 'style';
    link.crossOrigin = '';
    link.href = file;
    document.head.append(link);
  };
  /** Once the sign-in can be used: fetched while somebody types, run afterwards. */
  const loadWhenIdle = () => {
    const idle = window.requestIdleCallback ?? ((then) => setTimeout(then, 200));
    addEventListener('load', () => idle(() => inside.forEach(load)));
  };
  try {
    const [, app, address] = /^\/(admin|student)(?:\/(.*))?$/.exec(location.pathname) ?? [];
    const token =
      sessionStorage.getItem('classledger.student-token') ??
      localStorage.getItem('classledger.student-token');
    if (app === 'admin' && localStorage.getItem('classledger.admin-signed-in') !== null) {
      root.dataset.expected = app;
      ask('/api/auth/me', null);
      ask('/api/schools', null);
      const page = parts[(address ?? '').replace(/\d+$/, '$studentId')] ?? [];
      for (const file of [...inside, ...page]) load(file);
    } else if (app === 'admin') loadWhenIdle();
    // With the code of a slip somebody else signs in.
    if (app === 'student' && token !== null && !location.hash.startsWith('#code=')) {
      root.dataset.expected = app;
      ask('/api/auth/student/me', token);
    }
  } catch {
    // Without storage no one is signed in.
  }
  window.classledgerAhead = ahead;
})();
