import "../../i18n/small";
import { useState } from "react";
import { useTranslation } from "../../lib/speech";
import { queries } from "../../lib/api";
import { changeMe } from "../../lib/me";
import { sentence } from "../../lib/failures";
import { typed } from "../../lib/forms";
import { useMe } from "../../lib/session";
import { toast } from "../../lib/toast";
import { peopleKeys } from "./keys";

/** Which tags stand on the reader's profile. */
export function TagSetting() {
  const { t } = useTranslation("small");
  const me = useMe()!;
  const [failure, setFailure] = useState("");
  const save = async (form: FormData) => {
    setFailure("");
    const pinnedTags = typed(form, "tags")
      .split(/[\s,、]+/u)
      .filter(Boolean);
    try {
      await changeMe(me, { pinnedTags });
      void queries.invalidateQueries({ queryKey: peopleKeys.users });
      toast.success(t("tags.saved"));
    } catch (problem) {
      setFailure(sentence(problem));
    }
  };
  return (
    <section>
      <h2>{t("tags.settings")}</h2>
      <form
        onSubmit={(event) => (event.preventDefault(), void save(new FormData(event.currentTarget)))}
      >
        <label className="field">
          <span>{t("tags.title")}</span>
          <input
            className="input"
            name="tags"
            dir="auto"
            defaultValue={me.pinnedTags?.map((tag) => `#${tag}`).join(" ") ?? ""}
          />
          <small>{t("tags.hint")}</small>
        </label>
        {failure && (
          <p className="notice" role="alert">
            {failure}
          </p>
        )}
        <button className="button">{t("tags.save")}</button>
      </form>
    </section>
  );
}
