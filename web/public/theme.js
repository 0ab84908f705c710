// Sets the colours that the reader chose before anything is drawn. A file of its own, because the
// page's policy allows no script within it.
try {
  const theme = localStorage.getItem("hibana.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // storage is closed: the system's colours
}
