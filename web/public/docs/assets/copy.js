// A button that copies a block of code. What it says, the page says in its language.

const texts = document.querySelector('[data-copy]').dataset;

for (const figure of document.querySelectorAll('.code')) {
  // Browsers offer the clipboard on https and on localhost.
  if (!navigator.clipboard) break;
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = texts.copy;
  button.setAttribute('aria-label', `${texts.copyBlock}: ${figure.dataset.language}`);
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(figure.querySelector('code').textContent);
    button.textContent = texts.copied;
    setTimeout(() => {
      button.textContent = texts.copy;
    }, 1500);
  });
  figure.append(button);
}
