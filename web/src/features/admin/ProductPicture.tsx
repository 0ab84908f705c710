import { useEffect, useRef, useState } from "react";
import { useTranslation } from "../../lib/speech";
import type { Schemas } from "../../lib/api";
import { typed } from "../../lib/forms";
import { limits, sendPicture } from "../media/uploads";
import { Picture } from "../shop/ProductCard";

const types = limits.types.filter((type) => type.startsWith("image/"));

/** The fields of a form that give a product a picture and its description. */
export function PictureFields({ of }: { of?: Schemas["Product"] }) {
  const { t } = useTranslation("admin");
  const [preview, setPreview] = useState<string>();
  useEffect(() => () => void (preview && URL.revokeObjectURL(preview)), [preview]);
  return (
    <>
      {(preview || of?.image) && (
        <div className="productpicture">
          {preview ? (
            <span className="ware">
              <img src={preview} alt="" />
            </span>
          ) : (
            <Picture of={of} />
          )}
        </div>
      )}
      <label className="field">
        <span>{t("products.picture")}</span>
        <input
          className="input"
          type="file"
          name="picture"
          accept={types.join()}
          onChange={({ target }) => {
            const file = target.files?.[0];
            setPreview(file && URL.createObjectURL(file));
          }}
        />
        <small>{t("products.pictureHint")}</small>
      </label>
      <label className="field">
        <span>{t("products.alt")}</span>
        <input
          className="input"
          name="alt"
          maxLength={limits.alt}
          autoComplete="off"
          defaultValue={of?.picture?.alt ?? ""}
        />
        <small>{t("products.altHint")}</small>
      </label>
    </>
  );
}

/**
 * Sends the picture of such a form. Returns its id, or undefined if no file was chosen. A form that is
 * sent again does not send the same file again.
 */
export function usePicture() {
  const last = useRef({ file: "", id: "" });
  const stop = useRef(new AbortController());
  useEffect(() => {
    const ends = (stop.current = new AbortController());
    return () => ends.abort();
  }, []);
  return async (form: FormData): Promise<string | undefined> => {
    const file = form.get("picture");
    if (!(file instanceof File) || file.size === 0) return undefined;
    const alt = typed(form, "alt");
    const name = `${file.name} ${file.size} ${file.lastModified} ${alt}`;
    if (last.current.file !== name) {
      const id = await sendPicture(file, "product", stop.current.signal, () => undefined, alt);
      last.current = { file: name, id };
    }
    return last.current.id;
  };
}
