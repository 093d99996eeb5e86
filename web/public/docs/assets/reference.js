// Without this file, the page lacks the search, the forms to try operations, and the opening of linked operations.

const main = document.getElementById('content');
const texts = main.dataset;
const operations = [...document.querySelectorAll('.operation')];

// Empty for an address that cannot be decoded, such as `#%`.
function linkedTo() {
  try {
    return decodeURIComponent(location.hash);
  } catch {
    return '';
  }
}

// Links to the previous version of this reference look like #tag/scores/POST/scores. Opens the same operation here.
function followOldLink() {
  const [, method, path] = /^#tag\/[^/]+\/([A-Z]+)(\/.*)$/.exec(linkedTo()) ?? [];
  const found = operations.find(
    (operation) =>
      operation.querySelector('.method').textContent === method &&
      operation.querySelector('.path').textContent === path,
  );
  if (found) location.replace(`#${found.dataset.operation}`);
}

// Not all browsers open the element that a link leads into.
function openWhereTheLinkLeads() {
  followOldLink();
  const target = document.getElementById(linkedTo().slice(1));
  const operation = target?.closest('.operation');
  if (!operation || operation.open) return;
  operation.open = true;
  target.scrollIntoView();
}
addEventListener('hashchange', openWhereTheLinkLeads);
openWhereTheLinkLeads();

const filter = document.querySelector('.filter');
const entries = [...document.querySelectorAll('.operations [data-operation]')];
const textsOf = (part, selector) =>
  [...part.querySelectorAll(selector)].map(({ textContent }) => textContent);

// The words of an operation: title, callers, fields, parameters, headers and error codes.
const known = new Map(
  operations.map((operation) => {
    const title = [operation.dataset.operation, ...textsOf(operation, 'summary > *, .inside > p > strong')];
    const names = textsOf(operation, '.fields .name, .failures dt code');
    return [
      operation.dataset.operation,
      { title: title.join(' ').toLowerCase(), names: [...new Set(names)] },
    ];
  }),
);
// Errors and headers that belong to no single operation.
const shared = [...document.querySelectorAll('.chapter > .failures > div')];

// Names that match; null when the operation does not match.
function matched({ title, names }, words) {
  const found = new Set();
  for (const word of words) {
    if (title.includes(word)) continue;
    const having = names.filter((name) => name.toLowerCase().includes(word));
    if (having.length === 0) return null;
    for (const name of having) found.add(name);
  }
  return [...found];
}

function showNames(operation, names) {
  const summary = operation.querySelector('summary');
  summary.querySelector('.matched')?.remove();
  if (names.length === 0) return;
  const line = document.createElement('span');
  line.className = 'matched';
  line.textContent = names.slice(0, 6).join('  ');
  summary.append(line);
}

function showWhatMatches() {
  const words = filter.querySelector('input').value.toLowerCase().split(/\s+/).filter(Boolean);
  const searching = words.length > 0;
  main.classList.toggle('searching', searching);
  const visible = new Set();
  for (const operation of operations) {
    const names = matched(known.get(operation.dataset.operation), words);
    operation.hidden = names === null;
    if (names !== null) visible.add(operation.dataset.operation);
    showNames(operation, names ?? []);
  }
  for (const entry of entries) entry.hidden = !visible.has(entry.dataset.operation);
  for (const part of shared) {
    const text = part.querySelector('dt').textContent.toLowerCase();
    part.hidden = !words.every((word) => text.includes(word));
  }
  for (const group of document.querySelectorAll('.chapter, .operations > ul > li')) {
    const parts = [...group.querySelectorAll('[data-operation], .chapter > .failures > div')];
    group.hidden = searching && parts.every(({ hidden }) => hidden);
  }
  const count = [...operations, ...shared].filter(({ hidden }) => !hidden).length;
  const result = count === 0 ? texts.nothingFound : `${count} ${texts.found}`;
  filter.querySelector('[role=status]').textContent = searching ? result : '';
}
filter.addEventListener('input', showWhatMatches);
filter.hidden = false;
