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

// After a choice in the folded contents, fold them again.
const folded = document.querySelector('.contents-small');
folded?.addEventListener('click', (event) => {
  if (event.target.closest('a')) folded.open = false;
});
