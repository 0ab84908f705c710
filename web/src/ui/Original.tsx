import { useTranslation } from "../lib/speech";

/** Leads to the page of a profile or a post on the server that it is from. */
export function Original({ at }: { at: { url: string; host: string } }) {
  const { t } = useTranslation();
  return (
    <a href={at.url} target="_blank" rel="noopener noreferrer" className="original">
      {t("remote.original")} (<bdi dir="ltr">{at.host}</bdi>)
    </a>
  );
}
