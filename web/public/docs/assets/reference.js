// Without this file, the page lacks the search, the forms to try operations, and the opening of linked operations.

const main = document.getElementById('content');
const texts = main.dataset;
const operations = [...document.querySelectorAll('.operation')];

// Not all browsers open the element that a link leads into.
function openLinkedOperation() {
  let id = '';
  try {
    id = decodeURIComponent(location.hash.slice(1));
  } catch {
    // Ignored: no element has an id that cannot be decoded, such as `#%`.
  }
  const target = document.getElementById(id);
  const operation = target?.closest('.operation');
  if (!operation || operation.open) return;
  operation.open = true;
  target.scrollIntoView();
}
addEventListener('hashchange', openLinkedOperation);
openLinkedOperation();

const filter = document.querySelector('.filter');
const entries = [...document.querySelectorAll('.operations [data-operation]')];
// Errors and headers that belong to no single operation.
const shared = [...document.querySelectorAll('.chapter > .failures > div')];

function textOf(part, selector) {
  const found = [...part.querySelectorAll(selector)].map(({ textContent }) => textContent);
  return [part.dataset.operation, ...found].join(' ').toLowerCase();
}

// An operation is found by its title, callers, fields, parameters, headers and error codes.
const searched = 'summary > *, .inside > p > strong, .fields .name, .failures dt code';
const textOfPart = new Map([
  ...operations.map((operation) => [operation, textOf(operation, searched)]),
  ...shared.map((part) => [part, textOf(part, 'dt')]),
]);

function showMatches() {
  const words = filter.querySelector('input').value.toLowerCase().split(/\s+/).filter(Boolean);
  const searching = words.length > 0;
  main.classList.toggle('searching', searching);
  for (const [part, text] of textOfPart) part.hidden = !words.every((word) => text.includes(word));
  const found = [...textOfPart.keys()].filter(({ hidden }) => !hidden);
  const foundIds = new Set(found.map(({ dataset }) => dataset.operation));
  for (const entry of entries) entry.hidden = !foundIds.has(entry.dataset.operation);
  for (const group of document.querySelectorAll('.chapter, .operations > ul > li')) {
    const parts = [...group.querySelectorAll('[data-operation], .chapter > .failures > div')];
    group.hidden = searching && parts.every(({ hidden }) => hidden);
  }
  const result = found.length === 0 ? texts.nothingFound : `${found.length} ${texts.found}`;
  filter.querySelector('[role=status]').textContent = searching ? result : '';
}
filter.addEventListener('input', showMatches);
filter.hidden = false;
