import { Search } from "lucide-react";
import { useTranslation } from "../../lib/speech";
import { useLocation } from "wouter";
import { useSearch } from "wouter/use-browser-location";
import { typed } from "../../lib/forms";

export function SearchBox() {
  const { t } = useTranslation();
  const [, go] = useLocation();
  const asked = new URLSearchParams(useSearch()).get("q") ?? "";
  return (
    <form
      role="search"
      className="searchbox"
      onSubmit={(event) => {
        event.preventDefault();
        const q = typed(new FormData(event.currentTarget), "q");
        go(q ? `/explore?q=${encodeURIComponent(q)}` : "/explore");
      }}
    >
      <Search size={18} aria-hidden="true" />
      <input
        id="search"
        key={asked}
        name="q"
        type="search"
        defaultValue={asked}
        placeholder={t("explore.placeholder")}
        aria-label={t("explore.search")}
        maxLength={200}
        enterKeyHint="search"
        autoComplete="off"
      />
    </form>
  );
}
