// How high the announcement above home was, in pixels: the list begins below it before it is read again.
const key = "hibana.bar";

/** Notes how high the announcement is; 0 for none. */
export function noteBar(height: number): void {
  if (height > 0) localStorage.setItem(key, String(height));
  else localStorage.removeItem(key);
}

/** Keeps the place of the announcement that was there the last time. */
export function BarPlace() {
  return <div style={{ height: Number(localStorage.getItem(key)) || 0 }} />;
}
