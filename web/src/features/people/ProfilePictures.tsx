import "../../i18n/media";
import "../../styles/media.css";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "../../lib/speech";
import { queries, type User } from "../../lib/api";
import { changeMe } from "../../lib/me";
import { sentence } from "../../lib/failures";
import { toast } from "../../lib/toast";
import { Late, limits, sendPicture, sort } from "../media/uploads";
import { Avatar } from "../../ui/Avatar";
import { peopleKeys } from "./keys";

const kinds = ["avatar", "header"] as const;
type Kind = (typeof kinds)[number];

/** The picture of a profile, and the wide one at its top: chosen, looked at, sent, and removed. */
export default function ProfilePictures({ me }: { me: User }) {
  return kinds.map((kind) => <One key={kind} me={me} kind={kind} />);
}

const pictures = limits.types.filter((type) => type.startsWith("image/"));

function One({ me, kind }: { me: User; kind: Kind }) {
  const { t, i18n } = useTranslation("media");
  const field = useRef<HTMLInputElement>(null);
  const [chosen, choose] = useState<{ file: File; preview: string }>();
  const [sent, setSent] = useState<number>();
  const [failure, setFailure] = useState("");
  const stop = useRef<AbortController>(undefined);
  const preview = chosen?.preview;
  useEffect(() => () => void (preview && URL.revokeObjectURL(preview)), [preview]);
  useEffect(() => () => stop.current?.abort(), []);
  const has = kind === "avatar" ? me.avatar : me.header;
  const Names = kind === "avatar" ? "Avatar" : "Header";

  const take = (file: File | undefined) => {
    if (!file) return;
    const [[one], [refused]] = sort([file], pictures);
    if (one) choose({ file: one, preview: URL.createObjectURL(one) });
    const size = (bytes: number) =>
      new Intl.NumberFormat(i18n.language, {
        style: "unit",
        unit: "megabyte",
        maximumFractionDigits: 1,
      }).format(bytes / 2 ** 20);
    setFailure(
      refused && refused.why !== "many"
        ? t(refused.why === "type" ? "profile.type" : `attach.${refused.why}`, {
            name: refused.name,
            has: size(refused.has),
            most: size(refused.most),
          })
        : "",
    );
  };
  const save = async (id: string) => {
    await changeMe(me, kind === "avatar" ? { avatarMedia: id } : { headerMedia: id });
    void queries.invalidateQueries({ queryKey: peopleKeys.users });
    toast.success(t(id ? "profile.saved" : "profile.removed"));
  };
  const use = async () => {
    const ends = (stop.current = new AbortController());
    setFailure("");
    setSent(0);
    try {
      await save(await sendPicture(chosen!.file, kind, ends.signal, setSent));
      choose(undefined);
    } catch (problem) {
      if (!ends.signal.aborted)
        setFailure(problem instanceof Late ? t("attach.late") : sentence(problem));
    }
    setSent(undefined);
  };
  const remove = async () => {
    setFailure("");
    try {
      await save("");
    } catch (problem) {
      setFailure(sentence(problem));
    }
  };
  const cancel = () => {
    stop.current?.abort();
    choose(undefined);
    setSent(undefined);
  };
  const percent = new Intl.NumberFormat(i18n.language, {
    style: "percent",
    maximumFractionDigits: 0,
  }).format(sent ?? 0);
  return (
    <div className="field" role="group" aria-label={t(`profile.${kind}`)}>
      <span>{t(`profile.${kind}`)}</span>
      <div className="crop">
        {kind === "header" ? (
          (preview ?? has) && <img className="header" src={preview ?? has} alt="" />
        ) : preview ? (
          <img className="avatar large" src={preview} alt="" />
        ) : (
          <Avatar of={me} size="large" />
        )}
        {chosen ? (
          <>
            <button
              type="button"
              className="button main"
              disabled={sent !== undefined}
              onClick={() => void use()}
            >
              {t("profile.use")}
            </button>
            <button type="button" className="button" onClick={cancel}>
              {t("profile.cancel")}
            </button>
          </>
        ) : (
          <>
            <button type="button" className="button" onClick={() => field.current?.click()}>
              {t(`profile.choose${Names}`)}
            </button>
            {has && (
              <button type="button" className="button" onClick={() => void remove()}>
                {t(`profile.remove${Names}`)}
              </button>
            )}
          </>
        )}
        <input
          ref={field}
          type="file"
          hidden
          accept={pictures.join()}
          onChange={(event) => {
            take(event.target.files?.[0]);
            event.target.value = "";
          }}
        />
      </div>
      <small role="status">
        {sent === undefined
          ? chosen && t("profile.previewHint")
          : sent < 1
            ? t("profile.sending", { percent })
            : t("profile.processing")}
      </small>
      {failure && (
        <p className="notice" role="alert">
          {failure}
        </p>
      )}
    </div>
  );
}
