/**
 * Copies a text to the clipboard, and tells whether it is there. The clipboard of today is for pages
 * of https alone, and a reader may refuse it; the old command asks nobody.
 */
export async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return commanded(text);
  }
}

function commanded(text: string): boolean {
  const before = document.activeElement;
  const field = document.createElement("textarea");
  field.value = text;
  field.readOnly = true; // or a phone shows its keyboard
  field.style.cssText = "position: fixed; inset-block-start: 0; opacity: 0";
  document.body.append(field);
  field.select();
  try {
    return document.execCommand("copy");
  } finally {
    field.remove();
    if (before instanceof HTMLElement) before.focus();
  }
}
