import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "../../lib/speech";
import { hibana, type Tweet } from "../../lib/api";
import { sentence } from "../../lib/failures";
import { useMe } from "../../lib/session";
import { Dialog } from "../../ui/Dialog";
import Sheet from "./compose/Sheet";
import type { Kept } from "./compose/subject";
import { postKeys } from "./keys";

interface Props {
  replyTo?: Tweet | undefined;
  quoteOf?: Tweet | undefined;
  edit?: Tweet | undefined;
  /** A draft that the API keeps. */
  draft?: Kept | undefined;
  onClose: () => void;
}

/** The window in which tweets are written and edited. */
export default function Compose({ replyTo, quoteOf, edit, draft, onClose }: Props) {
  const { t } = useTranslation();
  const me = useMe();
  const title = edit
    ? t("compose.edit")
    : replyTo
      ? t("compose.reply", { name: replyTo.author.nickname })
      : quoteOf
        ? t("compose.quote", { name: quoteOf.author.nickname })
        : t("compose.title");
  // The text of a tweet that is edited, with the tag that tells whether somebody else edited it
  // meanwhile.
  const whole = useQuery({
    queryKey: postKeys.edited(edit?.id),
    enabled: Boolean(edit),
    gcTime: 0,
    staleTime: Infinity,
    meta: { keep: false },
    queryFn: async () => {
      const { data, response } = await hibana.GET("/v1/tweets/{id}", {
        params: { path: { id: edit!.id } },
      });
      return { tweet: data!, tag: response.headers.get("ETag") ?? "" };
    },
  });
  return (
    <Dialog title={title} onClose={onClose} plain>
      {edit && whole.isError && (
        <p className="notice" role="alert">
          {sentence(whole.error)}
        </p>
      )}
      {me && (!edit || whole.data) && (
        <Sheet
          replyTo={replyTo}
          quoteOf={quoteOf}
          edit={whole.data}
          kept={draft}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
}
