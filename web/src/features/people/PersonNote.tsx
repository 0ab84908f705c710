import "../../styles/small.css";
import { NotebookPen } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "../../lib/speech";
import { sentence } from "../../lib/failures";
import { focus } from "../../lib/focus";
import { typed } from "../../lib/forms";
import type { Somebody } from "./ties";
import { keepPersonNote, usePersonNote } from "./small";

/** What the reader wrote down about a person, and nobody else sees. */
export function PersonNote({ user }: { user: Somebody }) {
  const { t } = useTranslation("small");
  const note = usePersonNote(user.id);
  const [edits, edit] = useState(false);
  const [failure, setFailure] = useState("");
  // What comes below stays where it is when the note is read: most people have none.
  if (!note) return <div className="addnote" aria-hidden="true" />;
  const save = async (form: FormData) => {
    setFailure("");
    try {
      await keepPersonNote(user.id, typed(form, "note"));
      edit(false);
    } catch (problem) {
      setFailure(sentence(problem));
    }
  };
  if (edits)
    return (
      <form
        className="note"
        onSubmit={(event) => (event.preventDefault(), void save(new FormData(event.currentTarget)))}
      >
        <label className="field">
          <span>{t("note.title")}</span>
          <textarea
            className="input"
            name="note"
            rows={3}
            maxLength={2000}
            defaultValue={note.text}
            ref={focus}
          />
          <small>{t("note.hint")}</small>
        </label>
        {failure && (
          <p className="notice" role="alert">
            {failure}
          </p>
        )}
        <div className="choices">
          <button className="button main small">{t("note.save")}</button>
          <button type="button" className="button small" onClick={() => edit(false)}>
            {t("note.cancel")}
          </button>
        </div>
      </form>
    );
  if (!note.text)
    return (
      <button className="addnote" onClick={() => edit(true)}>
        <NotebookPen size={16} aria-hidden="true" />
        {t("note.add")}
      </button>
    );
  return (
    <section className="note" aria-label={t("note.title")}>
      <p className="typed" dir="auto">
        {note.text}
      </p>
      <p className="muted">{t("note.hint")}</p>
      <button className="button small" onClick={() => edit(true)}>
        {t("note.edit")}
      </button>
    </section>
  );
}
