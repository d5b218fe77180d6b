// One key for each button of the review: s the same, n not the same, k skip, u undo. Every button works without this file.

document.addEventListener('keydown', (event) => {
  const isTyped = event.target instanceof HTMLInputElement
  if (isTyped || event.ctrlKey || event.metaKey || event.altKey) return
  document.querySelector(`[data-key="${CSS.escape(event.key.toLowerCase())}"]`)?.click()
})
