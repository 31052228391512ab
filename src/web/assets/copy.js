// Progressive enhancement: a button copies the text beside it. Without scripts the text is selected by hand.
const SHOWN_MS = 4_000;

function select(text) {
  if (text.select) text.select();
  else getSelection().selectAllChildren(text);
}

// On the document: parts of a page are replaced by others, with buttons of their own.
document.addEventListener('click', async ({ target }) => {
  const button = target.closest?.('button.copy');
  if (!button) return;
  const text = button.parentElement.querySelector('pre, textarea');
  const result = button.parentElement.querySelector('[role=status]');
  // Emptied first: a screen reader says what has changed, and so says it again.
  result.textContent = '';
  select(text);
  try {
    await navigator.clipboard.writeText(text.value ?? text.textContent);
    result.textContent = 'Copied';
  } catch {
    // Without a secure origin there is no clipboard: the text is selected for the reader to copy.
    result.textContent = 'Selected: copy it with your keyboard';
  }
  setTimeout(() => {
    result.textContent = '';
  }, SHOWN_MS);
});
