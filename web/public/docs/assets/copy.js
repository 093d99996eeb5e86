// A button that copies a block of code. The page provides its label.

// Browsers offer the clipboard on https and on localhost; elsewhere the selection is copied.
async function copyText(code) {
  try {
    await navigator.clipboard.writeText(code.textContent);
  } catch {
    getSelection().selectAllChildren(code);
    document.execCommand('copy');
    getSelection().removeAllRanges();
  }
}

const texts = document.querySelector('[data-copy]').dataset;

for (const figure of document.querySelectorAll('.code')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = texts.copy;
  button.setAttribute('aria-label', `${texts.copyBlock}: ${figure.dataset.language}`);
  button.addEventListener('click', async () => {
    await copyText(figure.querySelector('code'));
    button.textContent = texts.copied;
    setTimeout(() => {
      button.textContent = texts.copy;
    }, 1500);
  });
  figure.append(button);
}
