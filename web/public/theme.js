// Sets the colours that the reader chose before anything is drawn. A file of its own, because the
// page's policy allows no script within it.
try {
  const theme = localStorage.getItem("hibana.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // storage is closed: the system's colours
}

// The scripts of the page that the address names, side by side with those of every page, which would
// ask for them only when they run. The build says which they are.
{
  const pages = JSON.parse(document.currentScript.dataset.pages ?? "{}");
  const [, part, , more] = location.pathname.split("/"); // what more names has pages of its own
  for (const href of (!more && pages[part]) || []) {
    const link = document.createElement("link");
    link.rel = "modulepreload";
    link.crossOrigin = "";
    link.href = href;
    document.head.append(link);
  }
}
