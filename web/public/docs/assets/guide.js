// Comforts only: the page is complete without them.

for (const figure of document.querySelectorAll('.code')) {
  // Browsers offer the clipboard on https and on localhost.
  if (!navigator.clipboard) break;
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  button.setAttribute('aria-label', `Copy this ${figure.dataset.language} block`);
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(figure.querySelector('code').textContent);
    button.textContent = 'Copied';
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 1500);
  });
  figure.append(button);
}

const links = new Map(
  [...document.querySelectorAll('.contents a')].map((link) => [link.hash.slice(1), link]),
);
const headings = [...document.querySelectorAll('article :is(h2, h3)')];
let here = null;

function markWhereTheReaderIs() {
  const passed = headings.filter((heading) => heading.getBoundingClientRect().top < 140);
  const link = links.get((passed.at(-1) ?? headings[0])?.id);
  if (link === here) return;
  here?.classList.remove('here');
  link?.classList.add('here');
  link?.scrollIntoView({ block: 'nearest' });
  here = link;
}

addEventListener('scroll', () => requestAnimationFrame(markWhereTheReaderIs), { passive: true });
markWhereTheReaderIs();

// A choice in the folded contents has been made: fold them again.
const folded = document.querySelector('.contents-small');
folded?.addEventListener('click', (event) => {
  if (event.target.closest('a')) folded.open = false;
});
