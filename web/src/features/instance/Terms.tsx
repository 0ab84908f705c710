import "../../styles/instance.css";
import { useTranslation } from "../../lib/speech";
import type { Schemas } from "../../lib/api";
import { Prose } from "../../ui/Prose";
import { dateAndTime } from "../../lib/dates";

/** Text as HTML of the API; as it was written, if an answer to an administrator had no HTML. */
export function Text({ html, text }: { html?: string | undefined; text: string }) {
  return (
    <div className="instancepart" dir="auto">
      {html ? <Prose html={html} /> : <p className="instanceplain">{text}</p>}
    </div>
  );
}

/** The text of the terms, with its version and date. */
export function Terms({ of }: { of: Schemas["Terms"] }) {
  const { t, i18n } = useTranslation("instance");
  return (
    <>
      <p className="muted">
        {t("terms.version", { version: of.version, when: dateAndTime(of.at, i18n.language) })}
      </p>
      <Text html={of.html} text={of.text} />
    </>
  );
}
