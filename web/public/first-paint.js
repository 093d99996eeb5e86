// Runs before the first paint, so that nothing flickers.
// src/theme/theme.ts and src/i18n/language.ts have the same keys and rules.
(() => {
  const root = document.documentElement;
  let scheme = null;
  let language = null;
  try {
    scheme = localStorage.getItem('classledger.color-scheme');
    language = localStorage.getItem('classledger.language');
  } catch {
    // Storage may be forbidden; the defaults apply.
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

// Sends requests beside the scripts, which saves round trips; src/api/early-requests.ts takes the answers.
(() => {
  /** Scripts behind the administrators' sign-in; vite/finish-build.ts inserts them. */
  const inside = [];
  /** Further scripts of their pages, by address; also inserted. */
  const parts = {};
  const ahead = {};
  const root = document.documentElement;
  const ask = (address, token) => {
    const headers = { accept: 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
    // The page sends the request again and shows the error.
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
  /** Fetches the scripts while the person types; they run later. */
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
    // With the code of a slip, another person signs in.
    if (app === 'student' && token !== null && !location.hash.startsWith('#code=')) {
      root.dataset.expected = app;
      ask('/api/auth/student/me', token);
    }
  } catch {
    // Without storage nobody is signed in.
  }
  window.classledgerAhead = ahead;
})();
