// Progressive enhancement: the button copies the snippet beside it. Without scripts the text is selected by hand.
for (const snippet of document.querySelectorAll('.snippet')) {
  const text = snippet.querySelector('textarea');
  const button = snippet.querySelector('button');
  const result = snippet.querySelector('[role=status]');
  button.addEventListener('click', async () => {
    text.select();
    try {
      await navigator.clipboard.writeText(text.value);
      result.textContent = 'Copied';
    } catch {
      // Without a secure origin there is no clipboard: the text is selected for the reader to copy.
      result.textContent = 'Selected: copy it with your keyboard';
    }
  });
}
