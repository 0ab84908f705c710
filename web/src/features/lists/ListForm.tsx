import { useState } from "react";
import { useTranslation } from "../../lib/speech";
import { useLocation } from "wouter";
import { sentence } from "../../lib/failures";
import { deleteList, makeList, saveList, type List, type ListFields } from "./lists";
import { toast } from "../../lib/toast";
import { Dialog } from "../../ui/Dialog";
import { Toggle } from "../../ui/Toggle";
import { Wrong } from "../../ui/Wrong";

type Replies = List["repliesPolicy"];

/** Makes a list of people, or changes or deletes one. */
export function ListForm({ list, onClose }: { list?: List; onClose: () => void }) {
  const { t } = useTranslation("lists");
  const [, go] = useLocation();
  // A request that is sent again after a lost answer makes no second list.
  const [key] = useState(() => crypto.randomUUID());
  const [title, setTitle] = useState(list?.title ?? "");
  const [description, setDescription] = useState(list?.description ?? "");
  const [open, setOpen] = useState(list?.visibility === "public");
  const [exclusive, setExclusive] = useState(list?.exclusive ?? false);
  const [repliesPolicy, setReplies] = useState<Replies>(list?.repliesPolicy ?? "list");
  const [sure, setSure] = useState(false);
  const [failure, setFailure] = useState("");
  const [busy, setBusy] = useState(false);

  const run = async (what: () => Promise<unknown>) => {
    setFailure("");
    setBusy(true);
    try {
      await what();
      onClose();
    } catch (problem) {
      setFailure(sentence(problem));
      setBusy(false);
    }
  };
  const save = () => {
    if (title.trim() === "") return setFailure(t("form.noName"));
    const fields: ListFields = {
      title: title.trim(),
      description: description.trim(),
      visibility: open ? "public" : "private",
      exclusive,
      repliesPolicy,
    };
    void run(async () => {
      if (list) await saveList(list.id, fields);
      else {
        const made = await makeList(key, fields);
        go(`/users/${made.ownerId}/lists/${made.id}`);
      }
      toast.success(t("form.saved"));
    });
  };

  return (
    <Dialog title={t(list ? "form.edit" : "new")} onClose={onClose} plain>
      <form className="inside" noValidate onSubmit={(event) => (event.preventDefault(), save())}>
        <label className="field">
          <span>{t("form.name")}</span>
          <input
            className="input"
            maxLength={60}
            value={title}
            onChange={(event) => setTitle(event.target.value)}
          />
        </label>
        <label className="field">
          <span>{t("form.description")}</span>
          <textarea
            className="input"
            rows={3}
            maxLength={500}
            value={description}
            onChange={(event) => setDescription(event.target.value)}
          />
          <small>{t("form.descriptionHint")}</small>
        </label>
        <Toggle label={t("form.isPublic")} on={open} onChange={setOpen} />
        <Toggle label={t("form.isExclusive")} on={exclusive} onChange={setExclusive} />
        <label className="field">
          <span>{t("form.replies")}</span>
          <select
            className="input"
            value={repliesPolicy}
            onChange={(event) => setReplies(event.target.value as Replies)}
          >
            {(["list", "followed", "none"] as const).map((one) => (
              <option key={one} value={one}>
                {t(`form.repliesOf.${one}`)}
              </option>
            ))}
          </select>
        </label>
        <Wrong text={failure} />
        <button className="button main" disabled={busy}>
          {t("form.save")}
        </button>
        {list && (
          <button
            type="button"
            className="button danger"
            disabled={busy}
            onClick={() =>
              sure
                ? void run(async () => {
                    await deleteList(list.id);
                    go("/lists");
                    toast.success(t("form.deleted"));
                  })
                : setSure(true)
            }
          >
            {t(sure ? "form.sure" : "form.delete")}
          </button>
        )}
      </form>
    </Dialog>
  );
}
