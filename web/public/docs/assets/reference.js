// The page is complete without this file, but for finding and trying operations.

const main = document.getElementById('content');
const texts = main.dataset;
const operations = [...document.querySelectorAll('.operation')];

// What the address leads to; empty where it is no text, as `#%`.
function linkedTo() {
  try {
    return decodeURIComponent(location.hash);
  } catch {
    return '';
  }
}

// Addresses of the reference before this one: #tag/scores/POST/scores.
function followOldLink() {
  const [, method, path] = /^#tag\/[^/]+\/([A-Z]+)(\/.*)$/.exec(linkedTo()) ?? [];
  const found = operations.find(
    (operation) =>
      operation.querySelector('.method').textContent === method &&
      operation.querySelector('.path').textContent === path,
  );
  if (found) location.replace(`#${found.dataset.operation}`);
}

// Browsers open what a link leads into; not all of them, and not what is led to already.
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
// What is set off in a description is who may call.
const said = new Map(
  operations.map((operation) => {
    const parts = [operation.querySelector('summary'), ...operation.querySelectorAll('.inside > p > strong')];
    const text = [operation.dataset.operation, ...parts.map(({ textContent }) => textContent)].join(' ');
    return [operation.dataset.operation, text.toLowerCase()];
  }),
);

function showWhatMatches() {
  const words = filter.querySelector('input').value.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = ({ dataset }) => words.every((word) => said.get(dataset.operation).includes(word));
  for (const part of [...operations, ...entries]) part.hidden = !matches(part);
  for (const group of document.querySelectorAll('.chapter, .operations > ul > li')) {
    const parts = [...group.querySelectorAll('[data-operation]')];
    group.hidden = words.length > 0 && parts.every(({ hidden }) => hidden);
  }
  const count = operations.filter(({ hidden }) => !hidden).length;
  filter.querySelector('[role=status]').textContent = words.length > 0 ? `${count} ${texts.found}` : '';
}
filter.addEventListener('input', showWhatMatches);
filter.hidden = false;
