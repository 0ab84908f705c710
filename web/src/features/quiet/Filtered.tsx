import "../../i18n/quiet";
import "../../styles/quiet.css";
import { useState, type ReactNode } from "react";
import { useTranslation } from "../../lib/speech";
import type { Schemas } from "../../lib/api";

type Hits = Schemas["FilterHit"][];

// What was opened stays open while somebody scrolls: lists forget rows that are far from the window.
const opened = new Set<string>();

/** Returns whether something is open, and what opens and closes it. */
function useOpened(id: string): [boolean, () => void] {
  const [open, setOpen] = useState(opened.has(id));
  const turn = () => {
    if (open) opened.delete(id);
    else opened.add(id);
    setOpen(!open);
  };
  return [open, turn];
}

/** A sentence, and the button that opens what it stands for. */
function Bar({ says, open, turn }: { says: string; open: boolean; turn: () => void }) {
  const { t } = useTranslation("quiet");
  return (
    <p className="warning muted">
      <span>{says}</span>
      <button
        className="button small"
        aria-expanded={open}
        aria-label={`${t(open ? "close" : "open")}: ${says}`}
        onClick={turn}
      >
        {t(open ? "close" : "open")}
      </button>
    </p>
  );
}

/** Returns the sentence about the filters that something matches; empty without any. */
export function useFilterTitles(hits: Hits | undefined): string {
  const { t } = useTranslation("quiet");
  return hits?.length ? t("filtered", { title: hits.map((hit) => hit.title).join(" · ") }) : "";
}

/** Something behind a sentence, until the reader opens it; as it is without a sentence. */
export function Fold({ id, says, children }: { id: string; says: string; children: ReactNode }) {
  const [open, turn] = useOpened(id);
  return (
    <>
      {says && <Bar says={says} open={open} turn={turn} />}
      {(open || !says) && children}
    </>
  );
}

/** A tweet of a list that filters of the reader match. */
export default function Filtered({
  id,
  hits,
  children,
}: {
  id: string;
  hits: Hits;
  children: ReactNode;
}) {
  const [open, turn] = useOpened(id);
  const says = useFilterTitles(hits);
  return (
    // Keys choose the folded tweet, or the opened one within.
    <article className="filtered" aria-label={says} data-tweet={open ? undefined : id}>
      <Bar says={says} open={open} turn={turn} />
      {open && children}
    </article>
  );
}
