/** For `ref` of a field that has the focus when it comes; Preact does not know `autoFocus`. */
export const focus = (field: HTMLElement | null) => field?.focus();
