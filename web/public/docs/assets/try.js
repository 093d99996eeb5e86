// "Try it" calls this server. The credential stays in the fields of this page.

const words = document.getElementById('content').dataset;

const credentials = [...document.querySelectorAll('[data-credential]')];
addEventListener('input', ({ target }) => {
  if (target.dataset.credential === undefined) return;
  for (const other of credentials) {
    if (other !== target && other.dataset.credential === target.dataset.credential)
      other.value = target.value;
  }
});
addEventListener('change', ({ target }) => {
  if (target.dataset.fills !== undefined && target.value !== '')
    target.form.elements.body.value = target.value;
});

function callOf(form) {
  const { method, path, confirms } = form.dataset;
  const query = new URLSearchParams();
  const headers = {};
  let address = path;
  for (const field of form.querySelectorAll('[data-in]')) {
    const value = field.value.trim();
    if (value === '') continue;
    if (field.dataset.in === 'path') address = address.replace(`{${field.name}}`, encodeURIComponent(value));
    else if (field.dataset.in === 'query') query.set(field.name, value);
    else headers[field.name] = headerValue(value);
  }
  if (confirms !== undefined) query.set('confirm', 'true');
  const credential = form.querySelector('[data-credential]')?.value.trim();
  if (credential) headers.Authorization = `Bearer ${credential}`;
  const body = form.elements.body?.value;
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  const url = query.size > 0 ? `${address}?${query}` : address;
  // An administrator's session must not join a call with its own credential.
  return { url, method, headers, body, credentials: credential === undefined ? 'same-origin' : 'omit' };
}

/** Headers carry only Latin-1; the server decodes percent-encoding where other text may occur. */
const headerValue = (value) => (/^[\x20-\x7e]*$/.test(value) ? value : encodeURIComponent(value));

const dialog = document.querySelector('dialog');

function isSure({ method, url }) {
  dialog.querySelector('code').textContent = `${method} ${url}`;
  dialog.returnValue = '';
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => resolve(dialog.returnValue === 'yes'), { once: true });
  });
}
dialog.addEventListener('click', ({ target }) => {
  if (target.tagName === 'BUTTON') dialog.close(target.value);
});

function element(name, text, className = '') {
  const made = document.createElement(name);
  made.textContent = text;
  made.className = className;
  return made;
}

function block(text) {
  const pre = element('pre', '');
  pre.tabIndex = 0;
  pre.append(element('code', text));
  return pre;
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

async function send(form) {
  const result = form.nextElementSibling;
  const call = callOf(form);
  const request = element('p', '', 'request');
  request.append(element('span', words.sent), ' ', element('code', `${call.method} ${call.url}`));
  if (call.body !== undefined) {
    try {
      JSON.parse(call.body);
    } catch (error) {
      result.replaceChildren(element('p', `${words.notJson} ${error.message}`, 'wrong'));
      return;
    }
  }
  if (form.dataset.asks !== undefined && !(await isSure(call))) return;
  result.replaceChildren(request, element('p', words.sending));
  try {
    const answer = await fetch(call.url, { ...call, redirect: 'error', cache: 'no-store' });
    const text = await answer.text();
    const status = element('p', `${words.answered} `, 'status');
    status.append(element('strong', `${answer.status} ${answer.statusText}`, answer.ok ? 'good' : 'bad'));
    const headers = element('details', '');
    const lines = [...answer.headers].map(([name, value]) => `${name}: ${value}`);
    headers.append(element('summary', words.headers), block(lines.join('\n')));
    result.replaceChildren(request, status, headers, block(pretty(text)));
  } catch {
    result.replaceChildren(request, element('p', words.unreachable, 'wrong'));
  }
  result.focus();
}

for (const form of document.querySelectorAll('.try form')) {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    send(form);
  });
  form.parentElement.hidden = false;
}
